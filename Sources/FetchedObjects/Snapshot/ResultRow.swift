@_spi(Storage) internal import EntityStore

/// One row of a result: an object's version, with the values that the query reads of other objects.
///
/// It is immutable, so it keeps the values that it was sorted by. Nothing here depends on the
/// entity's type. So the engine below the model is compiled once.
struct ResultRow: Sendable {
  let row: EntityRow
  /// The values of the plan's `values`, in the same order; nil if the plan has none.
  let values: RowValues?

  var id: StoredValue { row.id }

  /// Returns true if an attribute, or a value on a declared path, differs.
  func differs(from other: ResultRow) -> Bool {
    guard row.isEqual(to: other.row) else { return true }
    if values === other.values { return false }
    guard let values, let others = other.values else { return true }
    return !values.isSame(as: others)
  }
}
