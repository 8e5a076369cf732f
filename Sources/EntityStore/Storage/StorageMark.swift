/// What tells a version of a storage from another one of the same number.
public struct StorageMark: Hashable, Sendable {
  /// A number that was drawn for the version.
  public var token: Int64
  /// What the tables are like as far as it keeps the storage from telling all that others change: where it is another
  /// one by now, nothing is known.
  public var layout: Int64

  /// A mark; those of storages that nobody else writes to are all the same.
  public init(token: Int64 = 0, layout: Int64 = 0) { (self.token, self.layout) = (token, layout) }
}
