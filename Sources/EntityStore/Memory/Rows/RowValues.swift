/// The values of other objects that a query reads for one row: immutable, shared by all who hold it.
package final class RowValues: Sendable {
  /// The values, in the order of the query's.
  package let all: [StoredValue]

  /// The values.
  package init(_ all: [StoredValue]) { self.all = all }
}
