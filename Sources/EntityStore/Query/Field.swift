internal import Locking

/// A value in a query: an attribute, a constant or a condition.
public struct Field<Root: Entity, Value: Storable>: Sendable {
  /// The value as data.
  public let expression: QueryExpression

  package init(_ expression: QueryExpression) { self.expression = expression }

  /// What a closure that is given the query's object names.
  package init(_ field: (Row<Root, Root>) -> Field) { self = field(Row(steps: [])) }

  func compared(_ comparison: Comparison, _ value: Value) -> Condition<Root> {
    compared(comparison, .constant(value.storedValue.checkedOperand))
  }

  func compared(_ comparison: Comparison, _ other: QueryExpression) -> Condition<Root> {
    Condition(.comparison(comparison, expression, other))
  }

}

extension StoredValue {
  /// The value as one that a condition compares with.
  ///
  /// - Precondition: it isn't NaN, which a file would take for nil.
  var checkedOperand: StoredValue {
    mustHold(!isNaN, "A condition compares with NaN, which nothing equals; use nil")
    return self
  }
}

/// What a query asks: true or false for each object.
public typealias Condition<Root: Entity> = Field<Root, Bool>

extension Field {
  /// Whether the stored forms are the same.
  ///
  /// - Precondition: the value isn't NaN.
  public static func == (field: Field, value: Value) -> Condition<Root> {
    field.compared(.equal, value)
  }

  /// Whether the stored forms differ.
  ///
  /// - Precondition: the value isn't NaN.
  public static func != (field: Field, value: Value) -> Condition<Root> {
    field.compared(.notEqual, value)
  }

  /// Whether the stored forms are the same.
  public static func == (field: Field, other: Field) -> Condition<Root> {
    field.compared(.equal, other.expression)
  }

  /// Whether the stored forms differ.
  public static func != (field: Field, other: Field) -> Condition<Root> {
    field.compared(.notEqual, other.expression)
  }

  /// Whether there is no value.
  public static func == (field: Field, none: NilOperand) -> Condition<Root> {
    field.compared(.equal, .constant(.null))
  }

  /// Whether there is a value.
  public static func != (field: Field, none: NilOperand) -> Condition<Root> {
    field.compared(.notEqual, .constant(.null))
  }

  /// Whether there is no value.
  public var isNil: Condition<Root> { compared(.equal, .constant(.null)) }

  /// Whether the value is among `values`; false for nil.
  ///
  /// - Precondition: none of them is NaN.
  public func `in`(_ values: some Sequence<Value>) -> Condition<Root> {
    Condition(.isIn(expression, values.map(\.storedValue.checkedOperand)))
  }
}

extension Field where Value: Comparable {
  /// Whether the value comes before `value` in the order of stored forms; false for nil.
  ///
  /// - Precondition: the value isn't NaN.
  public static func < (field: Field, value: Value) -> Condition<Root> {
    field.compared(.less, value)
  }

  /// Whether the value comes before `value` or equals it; false for nil.
  ///
  /// - Precondition: the value isn't NaN.
  public static func <= (field: Field, value: Value) -> Condition<Root> {
    field.compared(.lessOrEqual, value)
  }

  /// Whether the value comes after `value`; false for nil.
  ///
  /// - Precondition: the value isn't NaN.
  public static func > (field: Field, value: Value) -> Condition<Root> {
    field.compared(.greater, value)
  }

  /// Whether the value comes after `value` or equals it; false for nil.
  ///
  /// - Precondition: the value isn't NaN.
  public static func >= (field: Field, value: Value) -> Condition<Root> {
    field.compared(.greaterOrEqual, value)
  }

  /// Whether the field comes after `value`; false for nil.
  ///
  /// - Precondition: the value isn't NaN.
  public static func < (value: Value, field: Field) -> Condition<Root> { field > value }

  /// Whether the field comes after `value` or equals it; false for nil.
  ///
  /// - Precondition: the value isn't NaN.
  public static func <= (value: Value, field: Field) -> Condition<Root> { field >= value }

  /// Whether the field comes before `value`; false for nil.
  ///
  /// - Precondition: the value isn't NaN.
  public static func > (value: Value, field: Field) -> Condition<Root> { field < value }

  /// Whether the field comes before `value` or equals it; false for nil.
  ///
  /// - Precondition: the value isn't NaN.
  public static func >= (value: Value, field: Field) -> Condition<Root> { field <= value }

  /// Whether the first comes before the second; false with nil.
  public static func < (field: Field, other: Field) -> Condition<Root> {
    field.compared(.less, other.expression)
  }

  /// Whether the first comes before the second or equals it; false with nil.
  public static func <= (field: Field, other: Field) -> Condition<Root> {
    field.compared(.lessOrEqual, other.expression)
  }

  /// Whether the first comes after the second; false with nil.
  public static func > (field: Field, other: Field) -> Condition<Root> {
    field.compared(.greater, other.expression)
  }

  /// Whether the first comes after the second or equals it; false with nil.
  public static func >= (field: Field, other: Field) -> Condition<Root> {
    field.compared(.greaterOrEqual, other.expression)
  }

  /// Whether the value is in a range; false for nil.
  ///
  /// - Precondition: neither bound is NaN.
  public func `in`(_ range: ClosedRange<Value>) -> Condition<Root> {
    (self >= range.lowerBound) && (self <= range.upperBound)
  }

  /// Whether the value is in a range; false for nil.
  ///
  /// - Precondition: neither bound is NaN.
  public func `in`(_ range: Range<Value>) -> Condition<Root> {
    (self >= range.lowerBound) && (self < range.upperBound)
  }

  /// Whether the value is in a range; false for nil.
  ///
  /// - Precondition: neither bound is NaN.
  public static func ~= (range: ClosedRange<Value>, field: Field) -> Condition<Root> {
    field.in(range)
  }

  /// Whether the value is in a range; false for nil.
  public static func ~= (range: Range<Value>, field: Field) -> Condition<Root> { field.in(range) }
}
