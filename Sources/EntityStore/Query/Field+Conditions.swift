extension Field where Value == Bool {
  /// The condition that is true for every object.
  ///
  ///     let hasRoom: Condition<Car> = seats.map { $0.seats >= seats } ?? .always
  public static var always: Condition<Root> { Condition(.and([])) }

  /// The condition that is false for every object.
  public static var never: Condition<Root> { Condition(.or([])) }

  // A chain is one condition of many parts. Each operator around the one before would make a tree
  // as deep as the chain is long, which SQL can't express.

  /// Returns the condition that both are true.
  ///
  /// - Complexity: O(*n*), where *n* is the number of parts of a chain so far.
  public static func && (a: Field, b: Field) -> Condition<Root> {
    guard case .and(let parts) = a.expression else {
      return Condition(.and([a.expression, b.expression]))
    }
    return Condition(.and(parts + [b.expression]))
  }

  /// Returns the condition that at least one is true.
  ///
  /// - Complexity: O(*n*), where *n* is the number of parts of a chain so far. To compare one
  ///   attribute with thousands of values, use `in`.
  public static func || (a: Field, b: Field) -> Condition<Root> {
    guard case .or(let parts) = a.expression else {
      return Condition(.or([a.expression, b.expression]))
    }
    return Condition(.or(parts + [b.expression]))
  }

  /// Returns the condition that this one is false or nil.
  public static prefix func ! (condition: Field) -> Condition<Root> {
    Condition(.not(condition.expression))
  }
}

extension Field where Value == String {
  /// Returns the condition that the text starts with `part`; false for nil.
  ///
  /// The texts are compared byte by byte after folding.
  public func hasPrefix(_ part: String, ignoring folding: TextFolding = []) -> Condition<Root> {
    test(.prefix, part, folding)
  }

  /// Returns the condition that the text ends with `part`; false for nil.
  ///
  /// The texts are compared byte by byte after folding.
  public func hasSuffix(_ part: String, ignoring folding: TextFolding = []) -> Condition<Root> {
    test(.suffix, part, folding)
  }

  /// Returns the condition that the text contains `part`; false for nil.
  ///
  /// The texts are compared byte by byte after folding.
  public func contains(_ part: String, ignoring folding: TextFolding = []) -> Condition<Root> {
    test(.infix, part, folding)
  }

  /// Returns the condition that the text equals `text`; false for nil.
  ///
  /// The texts are compared byte by byte after folding.
  public func equals(_ text: String, ignoring folding: TextFolding) -> Condition<Root> {
    test(.whole, text, folding)
  }

  /// The condition that the text has no character; false for nil.
  public var isEmpty: Condition<Root> { self == "" }

  private func test(_ test: TextTest, _ part: String, _ folding: TextFolding) -> Condition<Root> {
    Condition(.text(test, expression, part: .constant(.text(part)), ignoring: folding))
  }
}

extension Sequence where Element: Storable {
  /// Returns the condition that the field's value is one of these; false for nil.
  ///
  /// - Precondition: none of them is NaN.
  public func contains<Root>(_ field: Field<Root, Element>) -> Condition<Root> { field.in(self) }

  /// Returns the condition that a reference is one of these; false for nil.
  ///
  /// It doesn't matter whether the reference's object exists.
  ///
  /// - Precondition: no id among them is NaN or has a part that is.
  public func contains<Root, Target>(_ row: Row<Root, Target>) -> Condition<Root>
  where Element == Ref<Target> { row.in(self) }
}

extension Sequence where Element: CompositeID {
  /// Returns the condition that the id is one of these.
  ///
  /// - Precondition: no part of any of them is NaN.
  public func contains<Root>(_ parts: IDParts<Root, Element>) -> Condition<Root> { parts.in(self) }
}
