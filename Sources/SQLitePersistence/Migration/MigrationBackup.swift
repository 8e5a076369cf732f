internal import CSQLite
internal import EntityStore

/// The copy of a file that is kept beside it while its rows are rewritten.
///
/// The file itself needs none: a migration is one transaction, which is undone when the process is
/// killed. The copy is for what a transaction doesn't save from, as a failing disk.
///
/// It is made and removed by who has the file's write lock.
final class MigrationBackup {
  private let source: String
  /// Where it stands: the file's path and this.
  static let suffix = ".before-migration"
  private var path: String { source + Self.suffix }
  /// Where it is written.
  private var draft: String { path + ".partial" }
  /// Whether there is one that this process has made.
  private(set) var isMade = false
  /// Which file it is, where that can be said.
  private var identity: signalbox_file_identity?

  init(of path: String) { source = path }

  /// Makes it, of what has been committed.
  ///
  /// A copy that is there already was left by a process that was killed, or by one whose disk failed. It
  /// stays until the new one is whole and on the disk.
  func make() throws {
    try checkPlaces()
    deleteDraft()
    do {
      let connection = try Connection(path: source, .readOnly)
      // Nobody may read the copy who may not read the file.
      try AtomicFile.create(draft, like: connection.absolutePath)
      try connection.vacuum(into: draft)
      try AtomicFile.sync(draft)
      #if os(Windows)
      delete(path)
      #endif
      try AtomicFile.move(draft, to: path)
      try AtomicFile.syncFolder(of: path)
    } catch {
      deleteDraft()
      throw error
    }
    isMade = true
    var found = signalbox_file_identity()
    identity = signalbox_identify(path, &found) == 0 ? found : nil
  }

  /// Throws if the copy would take the place of the file itself, to which a link may lead, or that of a link.
  private func checkPlaces() throws {
    var own = signalbox_file_identity()
    let isKnown = signalbox_identify(source, &own) == 0
    for place in [path, draft, draft + "-journal"] {
      let isOwn = isKnown && signalbox_is_same(place, own) != 0
      if !isOwn, sb_is_no_file(place, 0) == 0 { continue }
      throw StoreError.storage(
        StorageFault(
          .exists,
          "\(place): \(isOwn ? "that is the file itself" : "a link or something else that is no file stands there"), "
            + "and a migration keeps a copy by that name; give it another name and open the file again",
          path: source))
    }
  }

  /// Takes away the one that this process has made, if it is still there.
  func remove() {
    guard isMade else { return }
    isMade = false
    if let identity, signalbox_is_same(path, identity) == 0 { return }
    delete(path)
  }

  /// Takes away what a process that was killed has left, with its journal, which would be played back into
  /// the next one.
  private func deleteDraft() {
    for suffix in ["-journal", ""] { delete(draft + suffix) }
  }

  private func delete(_ path: String) {
    guard let system = sqlite3_vfs_find(nil) else { return }
    // Not asked for first: to SQLite an empty file is none.
    _ = system.pointee.xDelete(system, path, 0)
  }
}
