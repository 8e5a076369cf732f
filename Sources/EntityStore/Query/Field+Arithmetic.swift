internal import Locking

// Arithmetic of numbers in a query. A result that is no number of its kind is nil: a whole number
// beyond `Int`, a quotient by 0, the difference of two infinities.

extension Field where Value: FixedWidthInteger {
  /// Returns the sum of two fields; nil if it is beyond `Int` or an operand is nil.
  ///
  /// - Precondition: the type isn't `UInt` or `UInt64`.
  public static func + (field: Field, other: Field) -> Field<Root, Int> {
    .computed(.plus, field.operand, other.operand)
  }

  /// Returns the sum of a field and a value; nil if it is beyond `Int` or an operand is nil.
  ///
  /// - Precondition: the type isn't `UInt` or `UInt64`.
  public static func + (field: Field, value: Value) -> Field<Root, Int> {
    .computed(.plus, field.operand, value.operand)
  }

  /// Returns the sum of a value and a field; nil if it is beyond `Int` or an operand is nil.
  ///
  /// - Precondition: the type isn't `UInt` or `UInt64`.
  public static func + (value: Value, field: Field) -> Field<Root, Int> {
    .computed(.plus, value.operand, field.operand)
  }

  /// Returns the difference of two fields; nil if it is beyond `Int` or an operand is nil.
  ///
  /// - Precondition: the type isn't `UInt` or `UInt64`.
  public static func - (field: Field, other: Field) -> Field<Root, Int> {
    .computed(.minus, field.operand, other.operand)
  }

  /// Returns the difference of a field and a value; nil if it is beyond `Int` or an operand is nil.
  ///
  /// - Precondition: the type isn't `UInt` or `UInt64`.
  public static func - (field: Field, value: Value) -> Field<Root, Int> {
    .computed(.minus, field.operand, value.operand)
  }

  /// Returns the difference of a value and a field; nil if it is beyond `Int` or an operand is nil.
  ///
  /// - Precondition: the type isn't `UInt` or `UInt64`.
  public static func - (value: Value, field: Field) -> Field<Root, Int> {
    .computed(.minus, value.operand, field.operand)
  }

  /// Returns the product of two fields; nil if it is beyond `Int` or an operand is nil.
  ///
  /// - Precondition: the type isn't `UInt` or `UInt64`.
  public static func * (field: Field, other: Field) -> Field<Root, Int> {
    .computed(.times, field.operand, other.operand)
  }

  /// Returns the product of a field and a value; nil if it is beyond `Int` or an operand is nil.
  ///
  /// - Precondition: the type isn't `UInt` or `UInt64`.
  public static func * (field: Field, value: Value) -> Field<Root, Int> {
    .computed(.times, field.operand, value.operand)
  }

  /// Returns the product of a value and a field; nil if it is beyond `Int` or an operand is nil.
  ///
  /// - Precondition: the type isn't `UInt` or `UInt64`.
  public static func * (value: Value, field: Field) -> Field<Root, Int> {
    .computed(.times, value.operand, field.operand)
  }

  /// Returns the quotient of two fields, rounded toward 0; nil if the divisor is 0 or an operand is
  /// nil.
  ///
  /// - Precondition: the type isn't `UInt` or `UInt64`.
  public static func / (field: Field, other: Field) -> Field<Root, Int> {
    .computed(.dividedBy, field.operand, other.operand)
  }

  /// Returns the quotient of a field and a value, rounded toward 0; nil if the divisor is 0 or an
  /// operand is nil.
  ///
  /// - Precondition: the type isn't `UInt` or `UInt64`.
  public static func / (field: Field, value: Value) -> Field<Root, Int> {
    .computed(.dividedBy, field.operand, value.operand)
  }

  /// Returns the quotient of a value and a field, rounded toward 0; nil if the divisor is 0 or an
  /// operand is nil.
  ///
  /// - Precondition: the type isn't `UInt` or `UInt64`.
  public static func / (value: Value, field: Field) -> Field<Root, Int> {
    .computed(.dividedBy, value.operand, field.operand)
  }
}

extension Field where Value: BinaryFloatingPoint {
  /// Returns the sum of two fields; nil if it isn't a number or an operand is nil.
  public static func + (field: Field, other: Field) -> Field<Root, Double> {
    .computed(.plus, field.operand, other.operand)
  }

  /// Returns the sum of a field and a value; nil if it isn't a number or an operand is nil.
  public static func + (field: Field, value: Value) -> Field<Root, Double> {
    .computed(.plus, field.operand, value.operand)
  }

  /// Returns the sum of a value and a field; nil if it isn't a number or an operand is nil.
  public static func + (value: Value, field: Field) -> Field<Root, Double> {
    .computed(.plus, value.operand, field.operand)
  }

  /// Returns the difference of two fields; nil if it isn't a number or an operand is nil.
  public static func - (field: Field, other: Field) -> Field<Root, Double> {
    .computed(.minus, field.operand, other.operand)
  }

  /// Returns the difference of a field and a value; nil if it isn't a number or an operand is nil.
  public static func - (field: Field, value: Value) -> Field<Root, Double> {
    .computed(.minus, field.operand, value.operand)
  }

  /// Returns the difference of a value and a field; nil if it isn't a number or an operand is nil.
  public static func - (value: Value, field: Field) -> Field<Root, Double> {
    .computed(.minus, value.operand, field.operand)
  }

  /// Returns the product of two fields; nil if it isn't a number or an operand is nil.
  public static func * (field: Field, other: Field) -> Field<Root, Double> {
    .computed(.times, field.operand, other.operand)
  }

  /// Returns the product of a field and a value; nil if it isn't a number or an operand is nil.
  public static func * (field: Field, value: Value) -> Field<Root, Double> {
    .computed(.times, field.operand, value.operand)
  }

  /// Returns the product of a value and a field; nil if it isn't a number or an operand is nil.
  public static func * (value: Value, field: Field) -> Field<Root, Double> {
    .computed(.times, value.operand, field.operand)
  }

  /// Returns the quotient of two fields; nil if the divisor is 0, it isn't a number or an operand
  /// is nil.
  public static func / (field: Field, other: Field) -> Field<Root, Double> {
    .computed(.dividedBy, field.operand, other.operand)
  }

  /// Returns the quotient of a field and a value; nil if the divisor is 0, it isn't a number or an
  /// operand is nil.
  public static func / (field: Field, value: Value) -> Field<Root, Double> {
    .computed(.dividedBy, field.operand, value.operand)
  }

  /// Returns the quotient of a value and a field; nil if the divisor is 0, it isn't a number or an
  /// operand is nil.
  public static func / (value: Value, field: Field) -> Field<Root, Double> {
    .computed(.dividedBy, value.operand, field.operand)
  }
}

extension Field {
  static func computed(_ computation: Computation, _ a: QueryExpression, _ b: QueryExpression)
    -> Field
  { Field(.computed(computation, [a, b])) }

  /// Traps for a type whose stored form isn't a number.
  func checkArithmetic() {
    mustHold(
      Value.storedType != .bytes,
      "A query can't calculate with a number of 64 bits that has no sign; make the attribute an Int"
    )
  }

  /// The expression as an operand of arithmetic.
  fileprivate var operand: QueryExpression {
    checkArithmetic()
    return expression
  }
}

extension Storable {
  /// The value as an operand of arithmetic.
  fileprivate var operand: QueryExpression { .constant(storedValue.checkedOperand) }
}
