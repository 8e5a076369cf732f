/// One version of a storage that can be kept and read at any time, from any thread.
public protocol StorageSnapshot: AnyObject, Sendable {
  /// The version.
  var version: Int64 { get }

  /// Runs `body` with a reader of the version.
  func read<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result
}
