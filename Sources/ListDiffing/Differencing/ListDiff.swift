/// The difference of two flat lists: the fewest moves, and all that came, went or changed.
///
///     struct Car: Identifiable, Equatable, Diffable {
///       let id: Int
///       var model: String
///     }
///     let old = [Car(id: 1, model: "Golf"), Car(id: 2, model: "Polo")]
///     let new = [Car(id: 2, model: "Polo GTI"), Car(id: 3, model: "Up")]
///     let diff = ListDiff(from: old, to: new)
///     print(diff.changes)  // delete 0.0, insert 0.1, update 0.1 → 0.0
///     var rows = old
///     diff.changes.apply(to: &rows) { path in new[path.row] }
///     rows == new  // true
///
/// Rows are the same if their identifiers are equal. A row that keeps its place among the others is
/// updated if its content differs. A row that doesn't is moved, whether or not its content differs.
/// If identifiers are unique, there are as few moves as possible. The result is deterministic.
///
/// Identifiers that repeat do no harm: rows that the lists begin or end with in common are matched first;
/// of the rest, the first copy is matched with the first, the second with the second, and those left over
/// are inserted or deleted. ``duplicates`` tells which they are.
///
/// - Complexity: O(*n* + *m* log *m*), where *n* is the length of the longer list and *m* the number of rows
///   between the common beginning and end that are in both lists. Only the rows between are hashed, so where
///   nothing changed no identifier is. A list has fewer than 2^31 rows.
public struct ListDiff<Element: Diffable> {
  /// The list before.
  public let old: [Element]

  /// The list after.
  public let new: [Element]

  /// What leads from the old list to the new one; all paths are in section 0.
  public let changes: ListChanges

  /// Compares two lists.
  @inlinable
  public init(from old: [Element], to new: [Element]) {
    self.old = old
    self.new = new
    changes = ListChanges(
      from: old, to: new, identifiedBy: { $0.diffIdentifier },
      isContentEqual: { $0.isContentEqual(to: $1) })
  }
}

extension ListDiff: Sendable where Element: Sendable {}
