/// The values of rows by their slots; a copy is O(1), and both can go on changing.
package struct ValueTable: Sendable {
  private var values = UnsafeObjectVector<RowValues>()

  /// A table without values.
  package init() {}

  /// The values of so many slots, from 0 on.
  ///
  /// - Complexity: O(*n*)
  package init(count: Int, _ values: (_ slot: Int) -> RowValues) {
    self.values = UnsafeObjectVector(count: count, values)
  }

  /// The values of the row in a slot.
  ///
  /// - Complexity: O(log *n*) with base 16.
  package subscript(slot: Int) -> RowValues? {
    get { values[slot] }
    set { values.set(newValue, at: slot) }
  }

  /// Calls `body` with each slot that hasn't the same values object as in `other`, ascending.
  ///
  /// - Complexity: O(*d* log *n*), where *d* is how many differ.
  package func forEachDifference(
    from other: ValueTable, _ body: (Int) throws -> Void
  ) rethrows {
    try values.forEachDifference(from: other.values, body)
  }
}
