extension Aggregation {
  /// A result builder that collects the fields of `.aggregating`, one on each line.
  ///
  ///     query.aggregating {
  ///       $0.price
  ///       $0.owner.age
  ///     }
  @resultBuilder public enum Builder {
    /// Returns one field.
    ///
    /// It is an attribute of the object or of a related one, or one value of the objects that
    /// refer to it.
    public static func buildExpression<Value>(_ field: Field<Root, Value>) -> Aggregation<Root> {
      let type = (Value.self as? any OptionalValue.Type)?.wrappedType ?? Value.self
      return Aggregation(
        field.expression,
        isNumber: type is any FixedWidthInteger.Type || type is any BinaryFloatingPoint.Type)
    }

    /// Returns fields that have been collected already.
    public static func buildExpression(_ fields: Aggregation<Root>) -> Aggregation<Root> { fields }

    /// Returns the fields of all lines.
    public static func buildBlock(_ lines: Aggregation<Root>...) -> Aggregation<Root> {
      Aggregation(lines)
    }

    /// Returns the fields of a branch.
    public static func buildEither(first: Aggregation<Root>) -> Aggregation<Root> { first }

    /// Returns the fields of the other branch.
    public static func buildEither(second: Aggregation<Root>) -> Aggregation<Root> { second }

    /// Returns the fields of an `if` without `else`, or none.
    public static func buildOptional(_ fields: Aggregation<Root>?) -> Aggregation<Root> {
      fields ?? Aggregation()
    }

    /// Returns the fields of a loop.
    public static func buildArray(_ fields: [Aggregation<Root>]) -> Aggregation<Root> {
      Aggregation(fields)
    }
  }
}
