internal import SQLiteLibrary
internal import EntityStore

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Android)
internal import Android
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(ucrt)
internal import ucrt
#endif

/// A database file that appears in one step.
///
/// It is written under another name in the same folder, and then renamed.
struct AtomicFile {
  let path: String
  /// The path to which the file is written first.
  let draft: String
  private let isReplacing: Bool
  /// The path of the store's own file, or nil if it has none.
  private let own: String?

  /// Creates the paths, and throws if a file at `path` must not be replaced.
  init(path: String, isReplacing: Bool, own: String?) throws {
    self.path = path
    self.isReplacing = isReplacing
    self.own = own
    draft = path + ".partial-" + String(UInt64.random(in: 0...(.max)), radix: 16)
    try check()
  }

  /// Returns the path to write to.
  ///
  /// If the file replaces another one, it gets that file's permissions. If not, it gets those that
  /// the process gives to new files.
  func draftLikeReplaced() throws -> String {
    if isReplacing && Self.exists(path) { try Self.create(draft, like: path) }
    return draft
  }

  private func check() throws {
    // A store that only reads has nothing beside its file.
    if let own, Self.isSame(own, path) {
      throw StoreError.fault(.exists, "\(path): it is the store's own file; choose another path")
    }
    if !isReplacing && Self.exists(path) { throw isThere }
    // SQLite would use an existing WAL or journal beside the new file as its own.
    for suffix in ["-wal", "-journal"] where Self.exists(path + suffix) {
      throw StoreError.fault(
        .exists,
        "\(path): a database there is open, or wasn't closed (\(path + suffix) stands beside); close it, "
          + "or choose another path")
    }
  }

  private var isThere: StoreError {
    .fault(
      .exists,
      "\(path): a file stands there already; choose another path, or pass replacingFile: true")
  }

  /// Creates the empty file with the permissions of another one, before anything is written to it.
  ///
  /// Its owner may write to it in any case, until `finish(_:like:)`. SQLite gives the same
  /// permissions to a journal or a WAL beside it.
  static func create(_ path: String, like source: String) throws {
    let code = signalbox_create_like(path, source)
    if code != 0 { throw fault(code, path) }
  }

  /// Takes the permission to write from the owner of a file, if the owner of another one lacks it.
  static func finish(_ path: String, like source: String) throws {
    let code = signalbox_finish_like(path, source)
    if code != 0 { throw fault(code, path) }
  }

  /// Gives the file its final permissions and its final name.
  ///
  /// If it throws, there is no new file. One that has been replaced stays replaced.
  func finish() throws {
    try check()
    let isNew = !Self.exists(path)
    if let source = own ?? (isNew ? nil : path) { try Self.finish(draft, like: source) }
    try giveName()
    do {
      try Self.syncFolder(of: path)
    } catch {
      if isNew { remove(path) }
      throw error
    }
  }

  private func giveName() throws {
    #if !os(Windows)
    if !isReplacing {
      // Unlike a rename, this fails if another process has created a file of that name meanwhile.
      if link(draft, path) == 0 {
        unlink(draft)
        return
      }
      // Not every file system has links.
      if errno == EEXIST { throw isThere }
    }
    #endif
    try Self.move(draft, to: path)
  }

  /// Removes the files that have been written.
  func discard() {
    for suffix in ["", "-journal", "-wal", "-shm"] { remove(draft + suffix) }
  }

  static func sync(_ path: String) throws {
    let code = signalbox_sync(path)
    if code != 0 { throw fault(code, path) }
  }

  /// Renames a file in one step, and replaces the file that has the new name.
  static func move(_ draft: String, to path: String) throws {
    guard rename(draft, path) == 0 else { throw fault(errno, path) }
  }

  /// Syncs the names in a file's folder to the disk.
  static func syncFolder(of path: String) throws {
    #if !os(Windows)
    let descriptor = open(folder(of: path), O_RDONLY)
    // If the folder can't be opened, or the system can't sync one, the file has its name anyway.
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    if fsync(descriptor) != 0 && errno == EIO { throw fault(EIO, path) }
    #endif
  }

  static func folder(of path: String) -> String {
    let end = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    return end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  }

  private static func exists(_ path: String) -> Bool {
    #if os(Windows)
    return _access(path, 0) == 0
    #else
    return signalbox_exists(path) != 0
    #endif
  }

  /// Returns true if two paths name one file.
  private static func isSame(_ path: String, _ other: String) -> Bool {
    #if os(Windows)
    return path == other
    #else
    var file = signalbox_file_identity()
    guard signalbox_identify(path, &file) == 0 else { return false }
    return signalbox_is_same(other, file) != 0
    #endif
  }

  private static func fault(_ code: Int32, _ path: String) -> StoreError {
    let (kind, sentence): (StorageFault.Kind, String) =
      switch code {
      case EEXIST, EISDIR, ENOTEMPTY:
        (.exists, "something else stands there; choose another path")
      case ENOENT, ENOTDIR: (.cannotOpen, "its folder isn't there; make it, or choose another path")
      case ENOSPC: (.full, "its disk is full; free some room and try again")
      case EACCES, EPERM, EROFS: (.readOnly, "it can't be written; make its folder writable")
      default:
        (.inputOutput, "writing or naming it failed; check its disk (the system's code \(code))")
      }
    return .fault(kind, "\(path): \(sentence)")
  }
}
