/// An object that a storage found.
///
///     found.append(FetchedRow(row: row, values: []))
@_spi(Storage) public struct FetchedRow: Sendable {
  /// The object.
  public let row: EntityRow
  /// The values of the plan's `values` for the object.
  public let values: [StoredValue]

  /// Creates a row of an object and its values.
  public init(row: EntityRow, values: [StoredValue]) {
    self.row = row
    self.values = values
  }
}
