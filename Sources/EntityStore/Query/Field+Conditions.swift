extension Field where Value == Bool {
  /// Whether both are true.
  public static func && (a: Field, b: Field) -> Condition<Root> {
    Condition(.and([a.expression, b.expression]))
  }

  /// Whether one is true.
  public static func || (a: Field, b: Field) -> Condition<Root> {
    Condition(.or([a.expression, b.expression]))
  }

  /// Whether it is false or nil.
  public static prefix func ! (condition: Field) -> Condition<Root> {
    Condition(.not(condition.expression))
  }
}

extension Field where Value == String {
  /// Whether the text starts with `part`, byte for byte of what is left; false for nil.
  public func hasPrefix(_ part: String, ignoring folding: TextFolding = []) -> Condition<Root> {
    test(.prefix, part, folding)
  }

  /// Whether the text ends with `part`, byte for byte of what is left; false for nil.
  public func hasSuffix(_ part: String, ignoring folding: TextFolding = []) -> Condition<Root> {
    test(.suffix, part, folding)
  }

  /// Whether `part` stands in the text, byte for byte of what is left; false for nil.
  public func contains(_ part: String, ignoring folding: TextFolding = []) -> Condition<Root> {
    test(.infix, part, folding)
  }

  /// Whether the text is `text`, byte for byte of what is left; false for nil.
  public func equals(_ text: String, ignoring folding: TextFolding) -> Condition<Root> {
    test(.whole, text, folding)
  }

  /// Whether the text has no character; false for nil.
  public var isEmpty: Condition<Root> { self == "" }

  private func test(_ test: TextTest, _ part: String, _ folding: TextFolding) -> Condition<Root> {
    Condition(.text(test, expression, part: .constant(.text(part)), ignoring: folding))
  }
}

extension Sequence where Element: Storable {
  /// Whether the field's value is among these; false for nil.
  ///
  /// - Precondition: none of them is NaN.
  public func contains<Root>(_ field: Field<Root, Element>) -> Condition<Root> { field.in(self) }

  /// Whether a reference is among these, be its object there or not; false for nil.
  ///
  /// - Precondition: no id among them is NaN or has a part that is.
  public func contains<Root, Target>(_ row: Row<Root, Target>) -> Condition<Root>
  where Element == Ref<Target> { row.in(self) }
}

extension Sequence where Element: CompositeID {
  /// Whether the id is among these.
  ///
  /// - Precondition: no part of any of them is NaN.
  public func contains<Root>(_ parts: IDParts<Root, Element>) -> Condition<Root> { parts.in(self) }
}
