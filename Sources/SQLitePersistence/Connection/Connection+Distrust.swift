internal import SQLiteLibrary
internal import EntityStore

// The contents of a file, and of the files beside it, are untrusted data, no matter who wrote them
// (P6).
extension Connection {
  /// Treats the contents of the file as untrusted data from the beginning.
  ///
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if SQLite can't be configured this way.
  func distrust(isWriting: Bool) throws {
    let code = sb_sqlite_distrust(handle)
    if code != SQLITE_OK { throw StoreError.storage(fault(code)) }
    // This keeps damage to a page from spreading. A connection that only reads gains nothing from
    // it, and would pay a sixth of the cost of reading a page of rows.
    if isWriting { try execute("PRAGMA cell_size_check = ON") }
    // Without memory mapping, the program can't crash when someone truncates the file.
    try execute("PRAGMA mmap_size = 0")
  }

  /// Copies the file into a new one, which SQLite attaches meanwhile.
  func vacuum(into path: String) throws {
    // VACUUM writes everything that the trees contain, and those of a crafted file may contain any
    // amount.
    try TreeCheck(self).check(isForCopy: true)
    let statement = try query("VACUUM INTO ?")
    sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 1)
    defer { sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0) }
    try withQuotedTexts { try statement.run([.text(path)]) }
  }

  /// Runs `body` while texts in double quotes are allowed.
  ///
  /// In `body`, SQLite executes definitions that other programs have written for their tables. Some
  /// of them write texts in double quotes.
  func withQuotedTexts(_ body: () throws -> Void) throws {
    sb_sqlite_set_quoted_texts(handle, 1)
    defer { sb_sqlite_set_quoted_texts(handle, 0) }
    try body()
  }

  /// Runs the SQL of another program's index or trigger, which is stored in the file.
  ///
  /// Statements that would change anything else are refused.
  func executeObject(_ sql: String) throws {
    sb_sqlite_confine(handle, 1)
    defer {
      sb_sqlite_confine(handle, 0)
      readAuthorizer?.install(on: handle)
    }
    try execute(sql)
  }

  /// Runs a statement that renames something, for which SQLite reads all views.
  func executeRename(_ sql: String) throws {
    sb_sqlite_set_views(handle, 1)
    defer { sb_sqlite_set_views(handle, 0) }
    try withQuotedTexts { try execute(sql) }
  }

  /// Throws if something other than a file exists at `path`, or at the path of its journal or WAL.
  static func checkIsFile(_ path: String) throws {
    func refuse(_ other: String, _ sentence: String) -> StoreError {
      .fault(.cannotOpen, "\(other): \(sentence)", path: path)
    }
    if sb_is_no_file(path, 1) != 0 {
      throw refuse(path, "it is no file, but a folder, a pipe or a device; choose another path")
    }
    // If `path` is a link, these files are beside the link's target.
    let file = resolved(path)
    for suffix in ["-journal", "-wal", "-shm"] where sb_is_no_file(file + suffix, 0) != 0 {
      throw refuse(
        file + suffix,
        "it is no file, but a link or something else, in the place of a database's own; see what it is and "
          + "move it away")
    }
    if sb_names_other_file(file + "-journal") != 0 {
      throw refuse(
        file + "-journal",
        "the journal names another file, which undoing would delete; no store makes such a one, so see where "
          + "it comes from and move it away, or open a copy of the file")
    }
  }

  /// Returns the path to which SQLite follows a link, or the same path.
  static func resolved(_ path: String) -> String {
    #if os(Windows)
    return path
    #else
    guard let real = signalbox_real_path(path) else { return path }
    defer { signalbox_free_path(real) }
    return String(cString: real)
    #endif
  }
}
