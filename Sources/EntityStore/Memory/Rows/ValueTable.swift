/// The values of rows by their slots.
///
/// A copy is O(1). Both can then be changed.
package struct ValueTable: Sendable {
  private var values: UnsafeObjectVector<RowValues>

  /// Creates a table of the values of `count` slots, from 0 on.
  ///
  /// - Complexity: O(*n*)
  package init(count: Int, _ values: (_ slot: Int) -> RowValues) {
    self.values = UnsafeObjectVector(count: count, values)
  }

  /// Begins several changes, which are then faster than alone.
  ///
  /// A copy that is made meanwhile must end before the next change.
  package mutating func beginChanges() { values.beginChanges() }

  package mutating func endChanges() { values.endChanges() }

  /// The values of the row in a slot.
  ///
  /// - Complexity: O(log *n*) with base 32.
  package subscript(slot: Int) -> RowValues? {
    get { values[slot] }
    set { values.set(newValue, at: slot) }
  }

  /// Calls `body` with each slot whose values object differs from that in `other`, ascending.
  ///
  /// - Complexity: O(*d* log *n*), where *d* is the number of objects that differ.
  package func forEachDifference(
    from other: ValueTable, _ body: (Int) throws -> Void
  ) rethrows {
    try values.forEachDifference(from: other.values, body)
  }
}
