internal import EntityStore

/// One row of a result: an object's version, with what the query reads of others.
///
/// It is immutable, so what it was sorted by stays with it. Nothing here depends on the entity's
/// type: the engine below the model is compiled once.
struct ResultRow: Sendable {
  let row: EntityRow
  /// The plan's `values`, in its order; nil if it has none.
  let values: RowValues?

  var id: StoredValue { row.id }

  /// Whether an attribute, or a value on a declared path, differs.
  func differs(from other: ResultRow) -> Bool {
    guard row.isEqual(to: other.row) else { return true }
    if values === other.values { return false }
    return values?.all != other.values?.all
  }
}
