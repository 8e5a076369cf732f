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

  /// Creates the identity of the database at an absolute path, or nil if a file of it isn't there.
  ///
  /// `hasShared` is true if the shared memory is a file beside it, and `isAlone` if the WAL and the
  /// shared memory don't count, since they may come and go.
  init?(path: String, hasShared: Bool = true, isAlone: Bool = false) {
    self.path = path
    logPath = path + "-wal"
    sharedPath = path + "-shm"
    var file = signalbox_file_identity()
    guard signalbox_identify(path, &file) == 0 else { return nil }
    self.file = file
    if isAlone {
      (self.log, self.shared) = (nil, nil)
      return
    }
    var log = signalbox_file_identity()
    var shared = signalbox_file_identity()
    guard signalbox_identify(logPath, &log) == 0 else { return nil }
    let isShared = signalbox_identify(sharedPath, &shared) == 0
    if hasShared && !isShared { return nil }
    self.log = log
    self.shared = isShared ? shared : nil
  }

  static func == (a: FileIdentity, b: FileIdentity) -> Bool {
    isSame(a.file, b.file)
      && isSame(a.log ?? signalbox_file_identity(), b.log ?? signalbox_file_identity())
      && isSame(a.shared ?? signalbox_file_identity(), b.shared ?? signalbox_file_identity())
  }

  private static func isSame(_ a: signalbox_file_identity, _ b: signalbox_file_identity) -> Bool {
    a.device == b.device && a.inode == b.inode
  }

  /// Returns the fault of a file that has been deleted or replaced, or nil.
  func fault(_ activity: ConnectionActivity) -> StorageFault? {
    if let fault = self.fault(at: path, file, activity, Self.advice) { return fault }
    guard let log else { return nil }
    return self.fault(
      at: logPath, log, activity,
      "its log, \(logPath), was deleted or replaced while it was open; close the store, so that what it "
        + "has goes into the file, and open it again") ?? sharedFault(activity)
  }

  /// Returns the fault of shared memory that has been deleted or replaced, or nil.
  func sharedFault(_ activity: ConnectionActivity) -> StorageFault? {
    guard let shared else { return nil }
    return fault(
      at: sharedPath, shared, activity,
      "its shared memory, \(sharedPath), was deleted or replaced while it was open; close the file in "
        + "every process that has it open, and open it again")
  }

  /// Returns the fault of a path that leads to another file than before, or can't be looked up.
  ///
  /// The words are composed only for a fault, because each commit looks the paths up.
  private func fault(
    at place: String, _ known: signalbox_file_identity, _ activity: ConnectionActivity,
    _ words: @autoclosure () -> String
  ) -> StorageFault? {
    var found = signalbox_file_identity()
    let error = signalbox_identify(place, &found)
    if error == 0 && Self.isSame(found, known) { return nil }
    if error == 0 || signalbox_is_gone(error) != 0 {
      return StorageFault(
        .replaced, "\(path): \(words())", path: path, operation: activity.description)
    }
    return StorageFault(
      .cannotOpen,
      "\(path): whether it is where it was can't be seen; give back the rights to look into its folder, and "
        + "try again", path: path, operation: activity.description,
      detail: "error \(error) of the system")
  }
}
