internal import SQLiteLibrary
internal import EntityStore

/// The copy of a file that is kept beside it while its rows are rewritten.
///
/// The file itself doesn't need it: a migration is one transaction, which is rolled back if the
/// process is killed. The copy protects from failures that a transaction doesn't cover, such as a
/// failing disk.
///
/// Only the holder of the file's write lock makes and removes the copy.
final class MigrationBackup {
  private let file: DatabaseFile
  private var source: String { file.path }
  static let suffix = ".before-migration"
  private var path: String { source + Self.suffix }
  /// The path to which the copy is written first.
  private var draft: String { path + ".partial" }
  /// True if there is a copy that this process has made.
  private(set) var isMade = false
  /// The identity of the copy's file, if it is known.
  private var identity: signalbox_file_identity?
  /// The error with which the copy couldn't be made, or nil.
  private var failure: (any Error)?

  init(of file: DatabaseFile) { self.file = file }

  /// Makes the copy if there is none yet.
  ///
  /// The copy has nothing of an open transaction, which may have written already.
  func keep() throws {
    try checkFailure()
    if isMade { return }
    do { try make() } catch {
      failure = error
      throw error
    }
  }

  /// Throws if the copy couldn't be made, because a migration may have ignored that error.
  func checkFailure() throws { if let failure { throw failure } }

  /// Makes the copy from what has been committed.
  ///
  /// An existing copy was left by a process that was killed, or by one whose disk failed. It stays
  /// until the new copy is complete and on the disk.
  func make() throws {
    try checkPlaces()
    deleteDraft()
    do {
      let connection = try Connection(file, .readOnly)
      // Only users who may read the file may read the copy.
      try AtomicFile.create(draft, like: connection.absolutePath)
      try connection.vacuum(into: draft)
      try AtomicFile.finish(draft, like: connection.absolutePath)
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

  /// Throws if the copy would replace a link, or the file itself, to which a link may lead.
  private func checkPlaces() throws {
    var own = signalbox_file_identity()
    let isKnown = signalbox_identify(source, &own) == 0
    for place in [path, draft, draft + "-journal"] {
      let isOwn = isKnown && signalbox_is_same(place, own) != 0
      if !isOwn, sb_is_no_file(place, 0) == 0 { continue }
      throw StoreError.fault(
        .exists,
        "\(place): \(isOwn ? "that is the file itself" : "a link or something else that is no file stands there"), "
          + "and a migration keeps a copy by that name; give it another name and open the file again",
        path: source)
    }
  }

  /// Removes the copy that this process has made, if it still exists.
  func remove() {
    guard isMade else { return }
    isMade = false
    if let identity, signalbox_is_same(path, identity) == 0 { return }
    delete(path)
  }

  /// Deletes a draft that a killed process has left, and its journal.
  ///
  /// The journal would be played back into the next draft.
  private func deleteDraft() {
    for suffix in ["-journal", ""] { delete(draft + suffix) }
  }

  private func delete(_ path: String) {
    guard let system = sqlite3_vfs_find(nil) else { return }
    // The file is deleted without a check, because SQLite treats an empty file as missing.
    _ = system.pointee.xDelete(system, path, 0)
  }
}
