/// One object that a storage found.
public struct FetchedRow: Sendable {
  /// The object.
  public let row: EntityRow
  /// What the plan's `values` are for it.
  public let values: [StoredValue]

  /// An object with its values.
  public init(row: EntityRow, values: [StoredValue]) {
    self.row = row
    self.values = values
  }
}
