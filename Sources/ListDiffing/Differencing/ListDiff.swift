/// The difference of two flat lists: the fewest moves, and all insertions, deletions and updates.
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
/// Rows are the same if their identifiers are equal. A row that keeps its position relative to the
/// others is updated if its content differs. Any other row of both lists is moved, even if its
/// content is the same. If identifiers are unique, the number of moves is minimal. The result is
/// deterministic.
///
/// Identifiers may repeat. The common beginning and the common end of the lists are matched first.
/// In the rest, the first copy is matched with the first, and the second with the second. Remaining
/// copies are inserted or deleted. ``duplicates`` lists the repeated identifiers.
///
/// - Complexity: O(*n* + *m* log *m*), where *n* is the length of the longer list and *m* the
///   number of rows that are in both lists, without the common beginning and end. Only rows between
///   the common beginning and end are hashed. If nothing changed, nothing is hashed. A list has
///   fewer than 2^31 rows.
public struct ListDiff<Element: Diffable> {
  /// The list before.
  public let old: [Element]

  /// The list after.
  public let new: [Element]

  /// The changes from the old list to the new one.
  ///
  /// All paths are in section 0.
  public let changes: ListChanges

  /// Compares two lists.
  ///
  /// - Parameters:
  ///   - old: The list before.
  ///   - new: The list after.
  ///   - areIdentifiersUnique: True if no identifier repeats in either list, as in a store. The
  ///     comparison is faster then. If one repeats all the same, the changes still lead from one
  ///     list to the other, but copies may be matched in another order.
  @inlinable
  public init(from old: [Element], to new: [Element], areIdentifiersUnique: Bool = false) {
    self.old = old
    self.new = new
    changes = ListChanges(
      from: old, to: new, areIdentifiersUnique: areIdentifiersUnique,
      identifiedBy: { $0.diffIdentifier }, isContentEqual: { $0.isContentEqual(to: $1) })
  }
}

extension ListDiff: Sendable where Element: Sendable {}
