/// An order of your own for the values of an attribute.
///
///     let bySize = ValueComparator<String>("size") { $0.count < $1.count }
///     query.sorted { [$0.name.ascending(by: bySize)] }
///
/// Make it once and keep it: queries are equal where they use the same one. On a file the rows are
/// read and then put in order here, since SQL can't call it.
public struct ValueComparator<Value: Storable>: Sendable {
  let collation: CustomCollation

  /// An order.
  ///
  /// Values of which neither comes before the other are in the order of their stored forms.
  ///
  /// - Parameters:
  ///   - name: what the order is called in messages.
  ///   - isBefore: whether the first value comes before the second: a strict weak order, and a
  ///     function of the two values alone.
  public init(_ name: String, by isBefore: @escaping @Sendable (Value, Value) -> Bool) {
    self.init(name, comparing: { isBefore($0, $1) ? -1 : isBefore($1, $0) ? 1 : 0 })
  }

  /// An order that one comparison defines.
  ///
  /// - Parameters:
  ///   - name: what the order is called in messages.
  ///   - compare: negative, 0 or positive as the first comes before, with or after the second.
  package init(_ name: String, comparing compare: @escaping @Sendable (Value, Value) -> Int) {
    collation = CustomCollation(name: name) { a, b in
      // What a row holds has been made from a value, so it can be read back.
      guard let a = try? Value(storedValue: a), let b = try? Value(storedValue: b) else { return 0 }
      return compare(a, b)
    }
  }
}
