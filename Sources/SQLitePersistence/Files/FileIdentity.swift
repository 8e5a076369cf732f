internal import SQLiteLibrary
internal import EntityStore

/// The files that a database consists of, identified by device and inode.
///
/// Open files live on after they are deleted or replaced, and nobody ever reads what is written to
/// them afterwards. SQLite doesn't check this, so the storage does: before each commit, and before
/// each read of more than one object.
///
/// The shared memory, `-shm`, holds the locks and states which pages of the WAL are valid. Two
/// processes with different shared memory overwrite each other's commits. So a commit checks the
/// shared memory once more before it returns.
struct FileIdentity: Sendable, Equatable {
  static let advice =
    "it was deleted or replaced while it was open; close the store, see that the right file is there, with "
    + "its own -wal file or none, and open it again"

  private let path: String
  private let logPath: String
  private let sharedPath: String
  private let file: signalbox_file_identity
  /// The WAL, or nil if only the file itself counts.
  private let log: signalbox_file_identity?
  /// The file of the shared memory, or nil if a file system for tests keeps it elsewhere.
  private let shared: signalbox_file_identity?

  /// Creates the identity of a database that is open and in use, at an absolute path.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - hasShared: true if the shared memory is a file beside it.
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

  /// Creates the identity of a file whose WAL and shared memory may come and go.
  init?(ofFileAlone path: String) {
    self.path = path
    logPath = path + "-wal"
    sharedPath = path + "-shm"
    var file = signalbox_file_identity()
    guard signalbox_identify(path, &file) == 0 else { return nil }
    self.file = file
    (log, shared) = (nil, nil)
  }

  static func == (a: FileIdentity, b: FileIdentity) -> Bool {
    isSame(a.file, b.file)
      && isSame(a.log ?? signalbox_file_identity(), b.log ?? signalbox_file_identity())
      && isSame(a.shared ?? signalbox_file_identity(), b.shared ?? signalbox_file_identity())
  }

  private static func isSame(_ a: signalbox_file_identity, _ b: signalbox_file_identity) -> Bool {
    a.device == b.device && a.inode == b.inode
  }

  /// The result of looking up a path again.
  private enum Finding {
    case same
    case another
    /// The file can't be looked up.
    ///
    /// The value is the error of the system.
    case unknown(Int32)
  }

  private static func look(at path: String, for file: signalbox_file_identity) -> Finding {
    var found = signalbox_file_identity()
    let error = signalbox_identify(path, &found)
    if error == 0 { return isSame(found, file) ? .same : .another }
    return signalbox_is_gone(error) != 0 ? .another : .unknown(error)
  }

  /// Returns the fault of a file that has been deleted or replaced, or nil.
  func fault(_ activity: ConnectionActivity) -> StorageFault? {
    switch Self.look(at: path, for: file) {
    case .same: break
    case .another: return replaced(Self.advice, activity)
    case .unknown(let error): return hidden(error, activity)
    }
    guard let log else { return nil }
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

  /// Returns the fault of shared memory that has been deleted or replaced, or nil.
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
