internal import Locking

extension Field {
  /// Returns the field's value, or another value if it is nil.
  ///
  ///     query.sorted { [($0.nickname ?? $0.name).ascending] }
  public static func ?? (field: Field, other: Field) -> Field {
    .computed(.firstValue, field.expression, other.expression)
  }

  /// Returns the field's value, or another value if it is nil.
  ///
  /// - Precondition: the other value isn't NaN.
  public static func ?? (field: Field, value: Value) -> Field {
    .computed(.firstValue, field.expression, .constant(value.storedValue.checkedOperand))
  }
}

extension Field where Value: FixedWidthInteger {
  /// The number as an `Int`, so that it can be calculated with numbers of other sizes; nil for nil.
  ///
  ///     query.filter { $0.pieces.asInt * $0.price > 100 }
  ///
  /// - Precondition: the type isn't `UInt` or `UInt64`.
  public var asInt: Field<Root, Int> {
    checkArithmetic()
    // A number beyond an `Int` of 32 bits is nil, as a result of arithmetic is.
    if Value.bitWidth > Int.bitWidth {
      return .computed(.plus, expression, .constant(.integer(0)))
    }
    return Field<Root, Int>(expression)
  }

  /// The number as one with a fraction, rounded to the nearest one; nil for nil.
  ///
  ///     query.sorted { [($0.done.asDouble / $0.total.asDouble).descending] }
  ///
  /// - Precondition: the type isn't `UInt` or `UInt64`.
  public var asDouble: Field<Root, Double> {
    checkArithmetic()
    return Field<Root, Double>(.computed(.real, [expression]))
  }

  /// The number as text, in decimal digits; nil for nil.
  ///
  ///     query.sectioned { $0.year.asString + ", " + $0.region }
  ///
  /// - Precondition: the type isn't `UInt` or `UInt64`.
  public var asString: Field<Root, String> {
    checkArithmetic()
    return Field<Root, String>(.computed(.text, [expression]))
  }
}

extension Field where Value == String {
  /// Returns the two texts, one after the other; nil if one of them is nil.
  public static func + (field: Field, other: Field) -> Field {
    .computed(.joined, field.expression, other.expression)
  }

  /// Returns the two texts, one after the other; nil if the field is nil.
  public static func + (field: Field, text: String) -> Field {
    .computed(.joined, field.expression, .constant(.text(text)))
  }

  /// Returns the two texts, one after the other; nil if the field is nil.
  public static func + (text: String, field: Field) -> Field {
    .computed(.joined, .constant(.text(text)), field.expression)
  }

  /// The text in lower case, by the rules of Unicode and of no language; nil for nil.
  ///
  /// SQL has no such function, so the store computes it for each row.
  public var lowercased: Field { Field(.computed(.lowercased, [expression])) }

  /// The text in upper case, by the rules of Unicode and of no language; nil for nil.
  ///
  ///     query.sectioned { $0.name.prefix(1).uppercased }
  ///
  /// SQL has no such function, so the store computes it for each row.
  public var uppercased: Field { Field(.computed(.uppercased, [expression])) }

  /// Returns the first characters of the text; nil for nil.
  ///
  /// A character is one of Swift, which may consist of several code points. SQL has no such
  /// function, so the store computes it for each row.
  ///
  /// - Parameter count: the greatest number of characters.
  /// - Returns: the field of the characters.
  /// - Precondition: the number isn't negative.
  public func prefix(_ count: Int) -> Field {
    mustHold(count >= 0, "A prefix of \(count) characters was asked for; ask for 0 or more")
    return Field(.computed(.prefix(count), [expression]))
  }
}

extension Field where Value == Bool {
  /// The condition as a number: 1 if it is met, and 0 if it isn't; nil for nil.
  ///
  /// Several conditions make sections in steps, or an order:
  ///
  ///     .sectioned { ($0.due < Moment.now).asInt + ($0.due < .now(adding: .hours(24))).asInt }
  public var asInt: Field<Root, Int> {
    // A bare condition would have the titles "false" and "true".
    Field<Root, Int>(expression) + 0
  }
}
