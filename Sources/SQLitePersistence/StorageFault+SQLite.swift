internal import CSQLite
internal import EntityStore

extension StorageFault {
  /// What a result code of SQLite means to someone who wants to do something about it.
  init(code: Int32, message: String, path: String) {
    let (kind, sentence): (Kind, String) =
      switch code & 0xFF {
      case SQLITE_FULL: (.full, "its disk is full; free some room and try again")
      case SQLITE_BUSY, SQLITE_LOCKED: (.busy, "somebody else is writing to it; try again")
      case SQLITE_READONLY, SQLITE_PERM:
        (.readOnly, "it can't be written; make the file and its folder writable")
      case SQLITE_CANTOPEN, SQLITE_AUTH:
        (.cannotOpen, "it can't be opened; check that its folder is there and may be read")
      case SQLITE_NOTADB: (.foreign, "it is no database; choose another file")
      case SQLITE_CORRUPT: (.corrupt, "it is damaged; put back a copy (\(message))")
      case SQLITE_IOERR: (.inputOutput, "reading or writing it failed; check its disk (\(message))")
      default: (.other, "\(message) (SQLite's code \(code))")
      }
    self.init(kind, "\(path): \(sentence)")
  }
}
