/// The values of other objects that a query reads for one row.
///
/// They are immutable, and shared by all their holders.
package final class RowValues: Sendable {
  /// The values, in the order of the query's values.
  package let all: [StoredValue]

  /// Creates an object that holds values.
  package init(_ all: [StoredValue]) { self.all = all }
}
