/// The values of other objects that a query reads for one row.
///
/// They are immutable, and shared by all their holders.
package final class RowValues: Sendable {
  /// The values, in the order of the query's values.
  package let all: [StoredValue]
  /// The positions of values that only order the row, and aren't a part of what it shows.
  private let hidden: [Int]

  package init(_ all: [StoredValue], hiding hidden: [Int] = []) {
    self.all = all
    self.hidden = hidden
  }

  /// Returns true if both show the same.
  package func isSame(as other: RowValues) -> Bool {
    if hidden.isEmpty { return all == other.all }
    return all.count == other.all.count
      && all.indices.allSatisfy { hidden.contains($0) || all[$0] == other.all[$0] }
  }
}
