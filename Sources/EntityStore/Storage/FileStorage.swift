/// A storage that is a file.
package protocol FileStorage: Storage {
  /// Where the file is.
  var filePath: String { get }
  /// The mark of the version that `open` has given.
  var firstMark: StorageMark { get }
  /// Whether somebody may have made a table again, with other rows, since the same version had an earlier mark.
  func isMadeAgain(_ mark: StorageMark, since earlier: StorageMark) -> Bool
  /// Makes a version that changes nothing and has a number after that of another one.
  func skip(past version: Int64) throws
}
