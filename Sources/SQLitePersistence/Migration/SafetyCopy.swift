internal import CSQLite
internal import EntityStore

/// The copy of a file that is kept beside it while its rows are rewritten.
///
/// The file itself needs none: a migration is one transaction, which is undone when the process is
/// killed. The copy is for what a transaction doesn't save from, as a failing disk.
struct SafetyCopy {
  private let source: String
  /// Where it stands: the file's path and this.
  static let suffix = ".before-migration"
  private var path: String { source + Self.suffix }

  init(of path: String) { source = path }

  /// Makes it, of what has been committed.
  ///
  /// The caller has the write lock. A copy that is there already was left by a process that was killed,
  /// and the file is as it was then.
  func make() throws {
    remove()
    do {
      let connection = try Connection(path: source, .readOnly)
      try connection.query("VACUUM INTO ?").run([.text(path)])
    } catch {
      remove()
      throw error
    }
  }

  /// Takes it away, if it is there.
  func remove() {
    guard let system = sqlite3_vfs_find(nil) else { return }
    var exists: Int32 = 0
    _ = system.pointee.xAccess(system, path, SQLITE_ACCESS_EXISTS, &exists)
    if exists != 0 { _ = system.pointee.xDelete(system, path, 0) }
  }
}
