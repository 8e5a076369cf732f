internal import CSQLite
internal import EntityStore

/// Which files a database consists of, by device and number.
///
/// Files that are open live on when they are deleted or replaced, and nobody ever reads what is then
/// written to them. SQLite doesn't look, so we do: before each commit and each read of more than one object.
///
/// The shared memory, `-shm`, has the locks and says which pages of the log hold. Two processes that have two of
/// them write over each other's commits, so a commit looks once more before it returns.
struct FileIdentity: Sendable, Equatable {
  static let advice =
    "it was deleted or replaced while it was open; close the store, see that the right file is there, with "
    + "its own -wal file or none, and open it again"

  private let path: String
  private let logPath: String
  private let sharedPath: String
  private let file: signalbox_file_identity
  private let log: signalbox_file_identity
  /// Nil where a file system for tests keeps it elsewhere.
  private let shared: signalbox_file_identity?

  /// The place of a database that is open and in use, at an absolute path.
  ///
  /// - Parameters:
  ///   - path: where the file is.
  ///   - hasShared: whether the shared memory is a file beside it.
  init?(path: String, hasShared: Bool = true) {
    self.path = path
    logPath = path + "-wal"
    sharedPath = path + "-shm"
    var file = signalbox_file_identity()
    var log = signalbox_file_identity()
    var shared = signalbox_file_identity()
    guard signalbox_identify(path, &file) == 0, signalbox_identify(logPath, &log) == 0 else {
      return nil
    }
    let isShared = signalbox_identify(sharedPath, &shared) == 0
    if hasShared && !isShared { return nil }
    (self.file, self.log) = (file, log)
    self.shared = isShared ? shared : nil
  }

  static func == (a: FileIdentity, b: FileIdentity) -> Bool {
    isSame(a.file, b.file) && isSame(a.log, b.log)
      && isSame(a.shared ?? signalbox_file_identity(), b.shared ?? signalbox_file_identity())
  }

  private static func isSame(_ a: signalbox_file_identity, _ b: signalbox_file_identity) -> Bool {
    a.device == b.device && a.inode == b.inode
  }

  /// What a path names by now.
  private enum Finding {
    case same
    case another
    /// Nobody can say, for the system's reason.
    case unknown(Int32)
  }

  private static func look(at path: String, for file: signalbox_file_identity) -> Finding {
    var found = signalbox_file_identity()
    let error = signalbox_identify(path, &found)
    if error == 0 { return isSame(found, file) ? .same : .another }
    return signalbox_is_gone(error) != 0 ? .another : .unknown(error)
  }

  /// The fault of a file that isn't where it was, or nil.
  func fault(_ activity: ConnectionActivity) -> StorageFault? {
    switch Self.look(at: path, for: file) {
    case .same: break
    case .another: return replaced(Self.advice, activity)
    case .unknown(let error): return hidden(error, activity)
    }
    switch Self.look(at: logPath, for: log) {
    case .same: break
    case .another:
      return replaced(
        "its log, \(logPath), was deleted or replaced while it was open; close the store, so that what it "
          + "has goes into the file, and open it again", activity)
    case .unknown(let error): return hidden(error, activity)
    }
    return sharedFault(activity)
  }

  /// The fault of shared memory that isn't where it was, or nil.
  func sharedFault(_ activity: ConnectionActivity) -> StorageFault? {
    guard let shared else { return nil }
    switch Self.look(at: sharedPath, for: shared) {
    case .same: return nil
    case .another:
      return replaced(
        "its shared memory, \(sharedPath), was deleted or replaced while it was open; close the file in "
          + "every process that has it open, and open it again", activity)
    case .unknown(let error): return hidden(error, activity)
    }
  }

  private func replaced(_ words: String, _ activity: ConnectionActivity) -> StorageFault {
    StorageFault(.replaced, "\(path): \(words)", path: path, operation: activity.description)
  }

  private func hidden(_ error: Int32, _ activity: ConnectionActivity) -> StorageFault {
    StorageFault(
      .cannotOpen,
      "\(path): whether it is where it was can't be seen; give back the rights to look into its folder, and "
        + "try again", path: path, operation: activity.description,
      detail: "error \(error) of the system")
  }
}
