internal import CSQLite
internal import EntityStore

/// Which files a database consists of, by device and number.
///
/// Files that are open live on when they are deleted or replaced, and nobody ever reads what is then
/// written to them. SQLite doesn't look, so we do: before each commit and each read of more than one object.
struct FilePlace: Sendable {
  static let advice =
    "it was deleted or replaced while it was open; close the store, see that the right file is there, with "
    + "its own -wal file or none, and open it again"

  private let path: String
  private let logPath: String
  private let file: signalbox_file_identity
  private let log: signalbox_file_identity

  /// The place of a database that is open and in use, at an absolute path.
  init?(path: String) {
    self.path = path
    logPath = path + "-wal"
    var file = signalbox_file_identity()
    var log = signalbox_file_identity()
    guard signalbox_identify(path, &file) == 0, signalbox_identify(logPath, &log) == 0 else {
      return nil
    }
    (self.file, self.log) = (file, log)
  }

  /// The fault of a file that isn't where it was, or nil.
  func fault(_ activity: Activity) -> StorageFault? {
    if signalbox_is_same(path, file) == 0 {
      return StorageFault(
        .replaced, "\(path): \(Self.advice)", path: path, operation: activity.description)
    }
    if signalbox_is_same(logPath, log) == 0 {
      return StorageFault(
        .replaced,
        "\(path): its log, \(logPath), was deleted or replaced while it was open; close the store, so "
          + "that what it has goes into the file, and open it again",
        path: path, operation: activity.description)
    }
    return nil
  }
}
