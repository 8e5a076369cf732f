internal import SQLiteLibrary

/// SQLite's default file system, without the right to write, create or delete a database's files.
///
/// SQLite opens the WAL of a file for writing, and creates it, even for a connection that only
/// reads. No setting prevents that, and a look at the folder beforehand may be out of date. So the
/// file system itself opens a database's files only as they are, and only for reading. Temporary
/// files, such as those of large sorts, are in another folder and stay as they are.
enum ReadingFileSystem {
  private static let label: StaticString = "signalbox-reading"
  /// The file system that SQLite uses for other files.
  ///
  /// Nothing changes it, and SQLite has it for as long as the process runs.
  private nonisolated(unsafe) static let original: UnsafeMutablePointer<sqlite3_vfs>? =
    sqlite3_vfs_find(nil)

  /// The name by which SQLite knows the file system, or nil if it has no memory for it.
  static let name: String? = {
    guard let original else { return nil }
    // SQLite has it for as long as the process runs.
    let own = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    // Everything else works as before: files that it opens are the original's.
    own.initialize(to: original.pointee)
    own.pointee.pNext = nil
    own.pointee.zName = UnsafeRawPointer(label.utf8Start).assumingMemoryBound(to: CChar.self)
    own.pointee.xOpen = { _, path, file, flags, found in
      guard let original = ReadingFileSystem.original, let open = original.pointee.xOpen else {
        return SQLITE_CANTOPEN
      }
      var flags = flags
      if flags & ReadingFileSystem.ownFiles != 0 {
        flags &= ~(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_DELETEONCLOSE)
        flags |= SQLITE_OPEN_READONLY
      }
      return open(original, path, file, flags, found)
    }
    // SQLite deletes the WAL of an empty file.
    own.pointee.xDelete = { _, _, _ in SQLITE_READONLY }
    return sqlite3_vfs_register(own, 0) == SQLITE_OK ? "\(label)" : nil
  }()

  /// The database, its WAL and its journals.
  private static let ownFiles =
    SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL
}
