/// One key of an order, as data.
///
///     $0.year.descending.key  // Car.year descending
@_spi(Storage) public struct SortKey: Hashable, Sendable {
  /// The expression whose values are compared.
  public let expression: QueryExpression
  /// True if smaller values come first.
  public let isAscending: Bool
  /// True if nil comes before every value.
  public let nilsFirst: Bool
  /// The way in which two values are compared.
  public let collation: Collation

  /// Creates a key; `nilsFirst` is nil if nil is less than every value.
  init(
    _ expression: QueryExpression, isAscending: Bool, nilsFirst: Bool? = nil,
    collation: Collation = .stored
  ) {
    self.expression = expression
    self.isAscending = isAscending
    self.nilsFirst = nilsFirst ?? isAscending
    self.collation = collation
  }

  func placing(nilsFirst: Bool) -> SortKey {
    SortKey(expression, isAscending: isAscending, nilsFirst: nilsFirst, collation: collation)
  }

  /// The keys of the parts of a composite id, which give the same order, or else the key itself.
  ///
  /// SQL compares one column at a time.
  package var parts: [SortKey] {
    guard case .attribute(let path) = expression, path.part == nil else { return [self] }
    let column = path.target.columns[path.column]
    guard column.type == .list else { return [self] }
    return column.parts.indices.map { part in
      let path = AttributePath(
        root: path.root, steps: path.steps, column: path.column, part: part)
      return SortKey(
        .attribute(path), isAscending: isAscending, nilsFirst: nilsFirst, collation: collation)
    }
  }

  var reversed: SortKey {
    SortKey(expression, isAscending: !isAscending, nilsFirst: !nilsFirst, collation: collation)
  }

  func collated(_ collation: Collation) -> SortKey {
    SortKey(expression, isAscending: isAscending, nilsFirst: nilsFirst, collation: collation)
  }

  /// Returns a negative number, 0 or a positive one if `a` comes before, with or after `b`.
  package func compare(_ a: StoredValue, _ b: StoredValue) -> Int {
    if a.isNull || b.isNull {
      if a.isNull && b.isNull { return 0 }
      return a.isNull == nilsFirst ? -1 : 1
    }
    let order = collation.compare(a, b)
    return isAscending ? order : -order
  }
}
