internal import SQLiteLibrary
internal import EntityStore

extension StorageFault {
  /// Creates the fault for a result code of SQLite, with advice on what to do about it.
  ///
  /// The code is an extended one, and the error of the system is 0 for none. `isPlain` is true if
  /// the file is known to begin as one that isn't encrypted.
  init(
    code: Int32, words: String, systemError: Int32, file: DatabaseFile, isPlain: Bool = false,
    operation: String
  ) {
    let (kind, advice) =
      code & 0xFF == SQLITE_NOTADB
      ? Self.adviceOnUnreadable(file, isPlain)
      : (file.isReadOnly ? Self.adviceToReader(code, systemError, operation) : nil)
        ?? Self.advice(code, systemError, words)
    self.init(
      kind, "\(file.path): \(advice)", path: file.path, operation: operation,
      code: Int(code & 0xFF),
      extendedCode: Int(code),
      detail: systemError == 0 ? words : "\(words), error \(systemError) of the system")
  }

  /// Returns the kind of a fault, and a sentence with what happened to the file and what to do.
  private static func advice(_ code: Int32, _ systemError: Int32, _ words: String) -> (
    Kind, String
  ) {
    let primary = code & 0xFF
    if primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN {
      if signalbox_is_out_of_room(systemError) != 0 { return advice(SQLITE_FULL, 0, "") }
      if signalbox_is_too_large(systemError) != 0 {
        return (.full, "it may not grow: a limit on the size of files holds it; raise the limit")
      }
      if signalbox_is_protected(systemError, primary == SQLITE_IOERR ? 1 : 0) != 0 {
        return adviceOnProtected
      }
      if signalbox_is_out_of_files(systemError) != 0 {
        return (
          .cannotOpen, "too many files are open; close some, or raise the limit, and try again"
        )
      }
    }
    #if canImport(Darwin)
    // With this code, the system's SQLite reports a file that is protected while the device is
    // locked.
    if primary == SQLITE_AUTH { return adviceOnProtected }
    #endif
    if code == signalbox_readonly_dbmoved { return (.replaced, FileIdentity.advice) }
    return switch primary {
    case SQLITE_FULL: (.full, "its disk is full; free some room and try again")
    case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL:
      (.busy, "somebody else is writing to it; try again")
    case SQLITE_READONLY, SQLITE_PERM:
      (.readOnly, "it can't be written; make the file and its folder writable, or open a copy")
    case SQLITE_CANTOPEN, SQLITE_AUTH:
      (
        .cannotOpen,
        "it can't be opened; check that it is a file, and that its folder is there and may be read and written"
      )
    case SQLITE_CORRUPT: (.corrupt, "it is damaged; put back a copy")
    case SQLITE_IOERR: (.inputOutput, "reading or writing it failed; check its disk")
    case SQLITE_NOMEM: (.other, "there is no memory left; free some and try again")
    case SQLITE_ERROR where isOfTables(words):
      (
        .schemaMismatch,
        "its tables aren't as they were made: another program has renamed, dropped or changed one; put that back "
          + "with the sqlite3 shell, or close the store and open it again, with the newest version of the app"
      )
    case SQLITE_ERROR where words.contains("unsupported file format"):
      (
        .newer,
        "a later version of SQLite has made it, or it is damaged; update the app, or put back a copy"
      )
    case SQLITE_CONSTRAINT, SQLITE_MISMATCH:
      (
        .schemaMismatch,
        "a rule of its tables that isn't the schema's refuses a row; drop that rule with the sqlite3 shell and "
          + "open the file again"
      )
    case SQLITE_SCHEMA: (.busy, "its tables are being changed; try again")
    case SQLITE_TOOBIG: (.other, "a value is longer than SQLite stores; shorten it")
    default: (.other, "SQLite reports an error that should not be; report it")
    }
  }

  private static let adviceOnProtected: (Kind, String) = (
    .protected,
    "the system lets nobody read or write it now, as while the device is locked; wait until protected data is "
      + "available and try again, or give the file the protection class "
      + "completeUntilFirstUserAuthentication"
  )

  /// Returns the advice on a fault that only a store meets that only reads, or nil.
  private static func adviceToReader(
    _ code: Int32, _ systemError: Int32, _ operation: String
  ) -> (Kind, String)? {
    if signalbox_is_protected(systemError, 0) != 0 { return nil }
    if code & 0xFF == SQLITE_CANTOPEN, operation == "\(ConnectionActivity.opening)" {
      guard signalbox_is_gone(systemError) != 0 else { return nil }
      return (
        .cannotOpen,
        "there is no such file, and a store that only reads creates none; open the app first"
      )
    }
    return switch code {
    case SQLITE_CANTOPEN, signalbox_readonly_recovery, signalbox_readonly_cantinit:
      (
        .busy,
        "its -wal or -shm isn't there, or isn't ready, as while another process opens or closes it; try again, "
          + "and if it stays so, open the app"
      )
    case signalbox_readonly_rollback:
      (
        .cannotOpen,
        "a commit to it was cut off, and only a store that writes can undo it; open the app"
      )
    default: nil
    }
  }

  /// Returns the advice on a file that SQLite takes for no database, which may be because of a key.
  private static func adviceOnUnreadable(_ file: DatabaseFile, _ isPlain: Bool) -> (Kind, String) {
    if file.key == nil {
      return (
        .foreign, "it is no database, or it is encrypted; choose another file, or give its key"
      )
    }
    if isPlain {
      return (
        .wrongKey, "a key is given, and it isn't encrypted; open it without a key"
      )
    }
    return (.wrongKey, "the key isn't the one of this file, or it is no database; give its own key")
  }

  /// Returns true if SQLite's message means that a table or column isn't what the statements
  /// expect.
  private static func isOfTables(_ words: String) -> Bool {
    let signs = [
      "no such table", "no such column", "no column named", "values for", "columns but",
      "access to view", "it is a view", "no such module", "no such function", "no such collation",
      "may not be modified", "cannot UPDATE generated", "cannot INSERT into generated",
      "already exists", "already an index named", "already a table named", "malformed",
      "unsafe use", "error in index", "error in table", "error in view", "error in trigger",
    ]
    return signs.contains(where: words.contains)
  }

  /// Returns true if a result code may mean that a sync has failed.
  ///
  /// These codes are all errors of the disk except those of reading, writing, truncating, looking
  /// up and locking.
  static func isFailedSync(_ code: Int32) -> Bool {
    code & 0xFF == SQLITE_IOERR && !(1...3).contains(code >> 8) && !(6...26).contains(code >> 8)
  }

  /// True if a COMMIT that failed with this fault has certainly left nothing behind.
  ///
  /// A commit exists once all its frames are in the WAL, and its last frame is written last. So a
  /// commit whose frames had no room, or which the system refused to write, doesn't exist: the
  /// write that failed is incomplete. Any other failed write may have reached the disk, and so may
  /// a failed sync. The shared memory is updated only after the frames are in the WAL.
  var leavesNothing: Bool {
    switch code.map(Int32.init(truncatingIfNeeded:)) {
    case SQLITE_FULL, SQLITE_BUSY, SQLITE_CONSTRAINT: true
    case SQLITE_IOERR:
      extendedCode == Int(signalbox_ioerr_write) && [.full, .protected].contains(kind)
    default: false
    }
  }
}
