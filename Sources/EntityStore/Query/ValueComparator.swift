/// A custom order for the values of an attribute.
///
///     let bySize = ValueComparator<String>("size") { $0.count < $1.count }
///     query.sorted { [$0.name.ascending(by: bySize)] }
///
/// Create it once and keep it: queries are equal only if they use the same one. SQL can't call it,
/// so the rows of a file are read first and then sorted in memory.
public struct ValueComparator<Value: Storable>: Sendable {
  package let collation: CustomCollation

  /// Creates the order that a collation has.
  package init(_ collation: CustomCollation) { self.collation = collation }

  /// Creates an order.
  ///
  /// If neither of two values comes before the other, they are in the order of their stored forms.
  ///
  /// - Parameters:
  ///   - name: the name of the order in messages.
  ///   - isBefore: returns true if the first value comes before the second. It has to be a strict
  ///     weak order, and a function of the two values alone.
  public init(_ name: String, by isBefore: @escaping @Sendable (Value, Value) -> Bool) {
    self.init(name, comparing: { isBefore($0, $1) ? -1 : isBefore($1, $0) ? 1 : 0 })
  }

  /// Creates an order from one comparison.
  ///
  /// `compare` returns a negative number, 0 or a positive one if the first comes before, with or
  /// after the second.
  package init(_ name: String, comparing compare: @escaping @Sendable (Value, Value) -> Int) {
    collation = CustomCollation(name: name) { a, b in
      // The stored form in a row was made from a value, so it can be read back.
      guard let a = try? Value(storedValue: a), let b = try? Value(storedValue: b) else { return 0 }
      return compare(a, b)
    }
  }
}
