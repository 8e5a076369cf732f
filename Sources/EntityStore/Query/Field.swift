internal import Locking

/// A value in a query: an attribute, a constant or a condition.
///
///     query.filter { $0.year > 1990 }  // $0.year is a Field<Car, Int>
public struct Field<Root: Entity, Value: Storable>: Sendable {
  /// The value as data.
  @_spi(Storage) public let expression: QueryExpression

  package init(_ expression: QueryExpression) { self.expression = expression }

  package init(_ field: (Row<Root, Root>) -> Field) { self = field(Row(steps: [])) }

  func compared(_ comparison: Comparison, _ value: Value) -> Condition<Root> {
    compared(comparison, .constant(value.storedValue.checkedOperand))
  }

  func ordered(_ comparison: Comparison, _ other: QueryExpression) -> Condition<Root> {
    OrderOfCases.check(Value.self)
    return compared(comparison, other)
  }

  func ordered(_ comparison: Comparison, _ value: Value) -> Condition<Root> {
    ordered(comparison, .constant(value.storedValue.checkedOperand))
  }

  func compared(_ comparison: Comparison, _ other: QueryExpression) -> Condition<Root> {
    Condition(.comparison(comparison, expression, other))
  }

}

extension StoredValue {
  /// The value as the operand of a condition.
  ///
  /// - Precondition: it isn't NaN, which a file would treat as nil.
  var checkedOperand: StoredValue {
    mustHold(!isNaN, "A condition compares with NaN, which nothing equals; use nil")
    return self
  }
}

extension Field {
  /// Returns the condition that the stored forms are the same.
  ///
  /// - Precondition: the value isn't NaN.
  public static func == (field: Field, value: Value) -> Condition<Root> {
    field.compared(.equal, value)
  }

  /// Returns the condition that the stored forms differ.
  ///
  /// - Precondition: the value isn't NaN.
  public static func != (field: Field, value: Value) -> Condition<Root> {
    field.compared(.notEqual, value)
  }

  /// Returns the condition that the stored forms are the same.
  public static func == (field: Field, other: Field) -> Condition<Root> {
    field.compared(.equal, other.expression)
  }

  /// Returns the condition that the stored forms differ.
  public static func != (field: Field, other: Field) -> Condition<Root> {
    field.compared(.notEqual, other.expression)
  }

  /// Returns the condition that there is no value.
  public static func == (field: Field, none: NilOperand) -> Condition<Root> {
    field.compared(.equal, .constant(.null))
  }

  /// Returns the condition that there is a value.
  public static func != (field: Field, none: NilOperand) -> Condition<Root> {
    field.compared(.notEqual, .constant(.null))
  }

  /// The condition that there is no value.
  public var isNil: Condition<Root> { compared(.equal, .constant(.null)) }

  /// Returns the condition that the value is one of `values`; false for nil.
  ///
  /// - Precondition: none of them is NaN.
  public func `in`(_ values: some Sequence<Value>) -> Condition<Root> {
    Condition(.isIn(expression, values.map(\.storedValue.checkedOperand)))
  }
}

extension Field where Value: Comparable {
  /// Returns the condition that the value comes before `value`; false for nil.
  ///
  /// The order is that of stored forms.
  ///
  /// - Precondition: the value isn't NaN. If the type is a `CaseIterable` enum, its `<` is the
  ///   order of its raw values.
  public static func < (field: Field, value: Value) -> Condition<Root> {
    field.ordered(.less, value)
  }

  /// Returns the condition that the value comes before `value` or equals it; false for nil.
  ///
  /// - Precondition: the value isn't NaN. If the type is a `CaseIterable` enum, its `<` is the
  ///   order of its raw values.
  public static func <= (field: Field, value: Value) -> Condition<Root> {
    field.ordered(.lessOrEqual, value)
  }

  /// Returns the condition that the value comes after `value`; false for nil.
  ///
  /// - Precondition: the value isn't NaN. If the type is a `CaseIterable` enum, its `<` is the
  ///   order of its raw values.
  public static func > (field: Field, value: Value) -> Condition<Root> {
    field.ordered(.greater, value)
  }

  /// Returns the condition that the value comes after `value` or equals it; false for nil.
  ///
  /// - Precondition: the value isn't NaN. If the type is a `CaseIterable` enum, its `<` is the
  ///   order of its raw values.
  public static func >= (field: Field, value: Value) -> Condition<Root> {
    field.ordered(.greaterOrEqual, value)
  }

  /// Returns the condition that the field comes after `value`; false for nil.
  ///
  /// - Precondition: the value isn't NaN. If the type is a `CaseIterable` enum, its `<` is the
  ///   order of its raw values.
  public static func < (value: Value, field: Field) -> Condition<Root> { field > value }

  /// Returns the condition that the field comes after `value` or equals it; false for nil.
  ///
  /// - Precondition: the value isn't NaN. If the type is a `CaseIterable` enum, its `<` is the
  ///   order of its raw values.
  public static func <= (value: Value, field: Field) -> Condition<Root> { field >= value }

  /// Returns the condition that the field comes before `value`; false for nil.
  ///
  /// - Precondition: the value isn't NaN. If the type is a `CaseIterable` enum, its `<` is the
  ///   order of its raw values.
  public static func > (value: Value, field: Field) -> Condition<Root> { field < value }

  /// Returns the condition that the field comes before `value` or equals it; false for nil.
  ///
  /// - Precondition: the value isn't NaN. If the type is a `CaseIterable` enum, its `<` is the
  ///   order of its raw values.
  public static func >= (value: Value, field: Field) -> Condition<Root> { field <= value }

  /// Returns the condition that the first comes before the second; false with nil.
  ///
  /// - Precondition: If the type is a `CaseIterable` enum, its `<` is the order of its raw values.
  public static func < (field: Field, other: Field) -> Condition<Root> {
    field.ordered(.less, other.expression)
  }

  /// Returns the condition that the first comes before the second or equals it; false with nil.
  ///
  /// - Precondition: If the type is a `CaseIterable` enum, its `<` is the order of its raw values.
  public static func <= (field: Field, other: Field) -> Condition<Root> {
    field.ordered(.lessOrEqual, other.expression)
  }

  /// Returns the condition that the first comes after the second; false with nil.
  ///
  /// - Precondition: If the type is a `CaseIterable` enum, its `<` is the order of its raw values.
  public static func > (field: Field, other: Field) -> Condition<Root> {
    field.ordered(.greater, other.expression)
  }

  /// Returns the condition that the first comes after the second or equals it; false with nil.
  ///
  /// - Precondition: If the type is a `CaseIterable` enum, its `<` is the order of its raw values.
  public static func >= (field: Field, other: Field) -> Condition<Root> {
    field.ordered(.greaterOrEqual, other.expression)
  }

  /// Returns the condition that the value is in a range; false for nil.
  ///
  /// - Precondition: neither bound is NaN. If the type is a `CaseIterable` enum, its `<` is the
  ///   order of its raw values.
  public func `in`(_ range: ClosedRange<Value>) -> Condition<Root> {
    (self >= range.lowerBound) && (self <= range.upperBound)
  }

  /// Returns the condition that the value is in a range; false for nil.
  ///
  /// - Precondition: neither bound is NaN. If the type is a `CaseIterable` enum, its `<` is the
  ///   order of its raw values.
  public func `in`(_ range: Range<Value>) -> Condition<Root> {
    (self >= range.lowerBound) && (self < range.upperBound)
  }

  /// Returns the condition that the value is in a range; false for nil.
  ///
  /// - Precondition: neither bound is NaN. If the type is a `CaseIterable` enum, its `<` is the
  ///   order of its raw values.
  public static func ~= (range: ClosedRange<Value>, field: Field) -> Condition<Root> {
    field.in(range)
  }

  /// Returns the condition that the value is in a range; false for nil.
  ///
  /// - Precondition: neither bound is NaN. If the type is a `CaseIterable` enum, its `<` is the
  ///   order of its raw values.
  public static func ~= (range: Range<Value>, field: Field) -> Condition<Root> { field.in(range) }
}
