/// A version of a storage that can be kept and read at any time, from any thread.
///
///     if let snapshot = try storage.snapshot() {
///       let row = try snapshot.read { try $0.row(of: entity, id: id) }
///     }
@_spi(Storage) public protocol StorageSnapshot: AnyObject, Sendable {
  /// The version.
  var version: Int64 { get }

  /// Runs `body` with a reader of the version.
  ///
  /// - Returns: the result of `body`.
  /// - Throws: the error that `body` throws, or ``StoreError`` if the version can't be read.
  func read<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result
}
