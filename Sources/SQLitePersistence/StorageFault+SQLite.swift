internal import CSQLite
internal import EntityStore

extension StorageFault {
  /// What a result code of SQLite means to someone who wants to do something about it.
  init(code: Int32, message: String, path: String) {
    let (kind, advice): (Kind, String) =
      switch code & 0xFF {
      case SQLITE_FULL: (.full, "free some room on its disk and try again")
      case SQLITE_BUSY, SQLITE_LOCKED: (.busy, "somebody else is writing to it; try again")
      case SQLITE_READONLY, SQLITE_PERM: (.readOnly, "make the file and its folder writable")
      case SQLITE_CANTOPEN, SQLITE_AUTH:
        (.cannotOpen, "check that its folder exists and its rights")
      case SQLITE_NOTADB: (.foreign, "it is no database; choose another file")
      case SQLITE_CORRUPT: (.corrupt, "it is damaged; restore it from a copy")
      case SQLITE_IOERR: (.inputOutput, "check its disk")
      default: (.other, "SQLite's code is \(code)")
      }
    self.init(kind, "\(path): \(message); \(advice)")
  }
}
