internal import CSQLite
internal import EntityStore

// What stands in a file, and beside it, is data, whoever has made it (P6).
extension Connection {
  /// Takes what the file has for data, from the first moment on.
  ///
  /// - Parameter isWriting: whether the connection may write.
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if SQLite can't be set so.
  func distrust(isWriting: Bool) throws {
    let code = sb_sqlite_distrust(handle)
    if code != SQLITE_OK { throw StoreError.storage(fault(code)) }
    // So that damage to a page doesn't spread. Who only reads has nothing from it, and pays a sixth of a page of rows.
    if isWriting { try execute("PRAGMA cell_size_check = ON") }
    // A file that somebody makes shorter can't stop the program.
    try execute("PRAGMA mmap_size = 0")
  }

  /// Copies the file into a new one, which SQLite attaches for the moment.
  func vacuum(into path: String) throws {
    // It would write what the trees say, and a crafted file's may say any amount.
    try TreeCheck(self).check(isForCopy: true)
    let statement = try query("VACUUM INTO ?")
    sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 1)
    defer { sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0) }
    try withQuotedTexts { try statement.run([.text(path)]) }
  }

  /// Runs `body`, in which SQLite carries out what other programs have said of their tables: some of them write texts
  /// in double quotes.
  func withQuotedTexts(_ body: () throws -> Void) throws {
    sb_sqlite_set_quoted_texts(handle, 1)
    defer { sb_sqlite_set_quoted_texts(handle, 0) }
    try body()
  }

  /// Runs the text of another program's index or trigger, which the file has, if it is one that makes such a thing.
  func executeObject(_ sql: String) throws {
    sb_sqlite_confine(handle, 1)
    defer { sb_sqlite_confine(handle, 0) }
    try execute(sql)
  }

  /// Changes a name, for which SQLite reads all views.
  func executeRename(_ sql: String) throws {
    sb_sqlite_set_views(handle, 1)
    defer { sb_sqlite_set_views(handle, 0) }
    try withQuotedTexts { try execute(sql) }
  }

  /// Throws if something else than a file stands at the path of one, or of its journal or log.
  static func checkIsFile(_ path: String) throws {
    func refuse(_ other: String, _ sentence: String) -> StoreError {
      .storage(StorageFault(.cannotOpen, "\(other): \(sentence)", path: path))
    }
    if sb_is_no_file(path, 1) != 0 {
      throw refuse(path, "it is no file, but a folder, a pipe or a device; choose another path")
    }
    // The system may have made one of a file's name that is a link.
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

  /// The path that SQLite follows a link to, or the same.
  private static func resolved(_ path: String) -> String {
    #if os(Windows)
    return path
    #else
    guard let real = signalbox_real_path(path) else { return path }
    defer { signalbox_free_path(real) }
    return String(cString: real)
    #endif
  }
}
