/// A storage that is a file.
package protocol FileStorage: SkippingStorage {
  var filePath: String { get }
  /// The mark of the version that `open` has returned.
  var firstMark: StorageMark { get }
  /// Returns true if a table may have been made again, with other rows, since the same version had
  /// an earlier mark.
  func isMadeAgain(_ mark: StorageMark, since earlier: StorageMark) -> Bool
  /// Notes that the store is being closed, so that `close()` is going to lock the file.
  ///
  /// It doesn't wait. Commits and reads may still be running, and `close()` follows.
  func willClose()
}
