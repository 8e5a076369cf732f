/// A mark that distinguishes a version of a storage from another one with the same number.
///
///     let mark = StorageMark(token: .random(in: .min ... .max))
@_spi(Storage) public struct StorageMark: Hashable, Sendable {
  /// A number that was drawn for the version.
  public var token: Int64
  /// A number for the state of the tables that decides which external changes the storage can
  /// report.
  ///
  /// If it differs from the earlier one, nothing is known of the changes.
  public var layout: Int64

  /// Creates a mark; all marks of a storage that nobody else writes to are the same.
  public init(token: Int64 = 0, layout: Int64 = 0) { (self.token, self.layout) = (token, layout) }
}
