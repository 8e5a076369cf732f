internal import CSQLite
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

/// A database file that comes to be at once: it is written under another name beside its own.
struct AtomicFile {
  let path: String
  /// Where it is written.
  let draft: String
  private let isReplacing: Bool

  /// Throws if something stands at `path` that must not be replaced.
  init(path: String, isReplacing: Bool) throws {
    self.path = path
    self.isReplacing = isReplacing
    draft = path + ".partial-" + String(UInt64.random(in: 0...(.max)), radix: 16)
    try check()
  }

  /// Where it is written, with the rights of the file that it replaces; if it replaces none, those that the process
  /// gives new files.
  func draftLikeReplaced() throws -> String {
    if isReplacing && Self.exists(path) { try Self.create(draft, like: path) }
    return draft
  }

  private func check() throws {
    if !isReplacing && Self.exists(path) { throw isThere }
    // SQLite would take a log that stands beside for one of the new file.
    for suffix in ["-wal", "-journal"] where Self.exists(path + suffix) {
      throw StoreError.storage(
        StorageFault(
          .exists,
          "\(path): a database there is open, or wasn't closed (\(path + suffix) stands beside); close it, "
            + "or choose another path"))
    }
  }

  private var isThere: StoreError {
    .storage(
      StorageFault(
        .exists,
        "\(path): a file stands there already; choose another path, or pass replacingFile: true"
      ))
  }

  /// Makes the empty file with the rights of another one, before anything is in it.
  ///
  /// SQLite gives a journal or a log beside it the same.
  static func create(_ path: String, like source: String) throws {
    let code = signalbox_create_like(path, source)
    if code != 0 { throw fault(code, path) }
  }

  /// Gives the file its name, for good.
  func finish() throws {
    try check()
    #if !os(Windows)
    if !isReplacing {
      // Unlike a rename it fails where somebody else has made a file of that name meanwhile.
      if link(draft, path) == 0 {
        unlink(draft)
        return try Self.syncFolder(of: path)
      }
      // Not every file system has links.
      if errno == EEXIST { throw isThere }
    }
    #endif
    try Self.move(draft, to: path)
    try Self.syncFolder(of: path)
  }

  /// Removes what has been written.
  func discard() {
    for suffix in ["", "-journal", "-wal", "-shm"] { remove(draft + suffix) }
  }

  /// Puts what a file has on the disk.
  static func sync(_ path: String) throws {
    let code = signalbox_sync(path)
    if code != 0 { throw fault(code, path) }
  }

  /// Gives a file another name, in the place of what has it, at once.
  static func move(_ draft: String, to path: String) throws {
    guard rename(draft, path) == 0 else { throw fault(errno, path) }
  }

  /// Puts the names in a file's folder on the disk.
  static func syncFolder(of path: String) throws {
    #if !os(Windows)
    let end = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let folder = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let descriptor = open(folder, O_RDONLY)
    // A folder that can't be opened, or on a system that syncs none, has the name all the same.
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    if fsync(descriptor) != 0 && errno == EIO { throw fault(EIO, path) }
    #endif
  }

  private static func exists(_ path: String) -> Bool {
    #if os(Windows)
    return _access(path, 0) == 0
    #else
    return signalbox_exists(path) != 0
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
    return .storage(StorageFault(kind, "\(path): \(sentence)"))
  }
}
