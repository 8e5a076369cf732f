extension UnsafeFieldPlace {
  /// Returns a comparison of the property with a constant, or nil if that is of another type.
  ///
  /// Each case is written for its own type, so that it is compiled to a load and a comparison.
  func test(_ comparison: Comparison, _ constant: StoredValue) -> ((UnsafeRawPointer) -> Bool)? {
    switch (kind, constant) {
    case (.int, .integer(let number)): Self.test(Int64.self, offset, comparison, number)
    case (.int32, .integer(let number)):
      Int32(exactly: number).flatMap { Self.test(Int32.self, offset, comparison, $0) }
    case (.double, .real(let number)): Self.test(Double.self, offset, comparison, number)
    case (.optionalInt, .integer(let number)):
      Self.optionalTest(Int64.self, offset, comparison, number)
    case (.optionalDouble, .real(let number)):
      Self.optionalTest(Double.self, offset, comparison, number)
    case (.bool, .integer(let number)) where number == 0 || number == 1:
      boolTest(comparison, number == 1)
    case (.string, .text(let text)): Self.textTest(offset, comparison, text)
    case (.optionalString, .text(let text)): Self.optionalTextTest(offset, comparison, text)
    case (.optionalInt, .null): nilTest(comparison, Int64.self)
    case (.optionalDouble, .null): nilTest(comparison, Double.self)
    case (.optionalString, .null): nilTest(comparison, String.self)
    default: nil
    }
  }

  /// Returns a test that looks the property up among constants, or nil for other kinds.
  func isIn(_ values: Set<StoredValue>) -> ((UnsafeRawPointer) -> Bool)? {
    guard kind == .int else { return nil }
    let offset = offset
    let numbers = Set(
      values.compactMap { if case .integer(let number) = $0 { number } else { nil } })
    return { numbers.contains($0.load(fromByteOffset: offset, as: Int64.self)) }
  }

  @inline(__always)
  private static func test<Value: Comparable>(
    _ type: Value.Type, _ offset: Int, _ comparison: Comparison, _ constant: Value
  ) -> (UnsafeRawPointer) -> Bool {
    switch comparison {
    case .equal: { $0.load(fromByteOffset: offset, as: type) == constant }
    case .notEqual: { $0.load(fromByteOffset: offset, as: type) != constant }
    case .less: { $0.load(fromByteOffset: offset, as: type) < constant }
    case .lessOrEqual: { $0.load(fromByteOffset: offset, as: type) <= constant }
    case .greater: { $0.load(fromByteOffset: offset, as: type) > constant }
    case .greaterOrEqual: { $0.load(fromByteOffset: offset, as: type) >= constant }
    }
  }

  @inline(__always)
  private static func optionalTest<Value: Comparable>(
    _ type: Value.Type, _ offset: Int, _ comparison: Comparison, _ constant: Value
  ) -> (UnsafeRawPointer) -> Bool {
    func value(_ root: UnsafeRawPointer) -> Value? {
      root.load(fromByteOffset: offset, as: Value?.self)
    }
    switch comparison {
    case .equal: return { value($0) == constant }
    case .notEqual: return { value($0) != constant }
    case .less: return { if let value = value($0) { value < constant } else { false } }
    case .lessOrEqual: return { if let value = value($0) { value <= constant } else { false } }
    case .greater: return { if let value = value($0) { value > constant } else { false } }
    case .greaterOrEqual: return { if let value = value($0) { value >= constant } else { false } }
    }
  }

  private func boolTest(_ comparison: Comparison, _ constant: Bool) -> (UnsafeRawPointer) -> Bool {
    let offset = offset
    let (ifFalse, ifTrue) = (
      comparison.holds(.integer(0), StoredValue(constant)),
      comparison.holds(.integer(1), StoredValue(constant))
    )
    return { $0.load(fromByteOffset: offset, as: Bool.self) ? ifTrue : ifFalse }
  }

  private static func textTest(
    _ offset: Int, _ comparison: Comparison, _ constant: String
  ) -> (UnsafeRawPointer) -> Bool {
    switch comparison {
    case .equal:
      { TextBytes.equal($0.load(fromByteOffset: offset, as: String.self), constant) }
    case .notEqual:
      { !TextBytes.equal($0.load(fromByteOffset: offset, as: String.self), constant) }
    default:
      {
        comparison.holds(
          order: TextBytes.compare($0.load(fromByteOffset: offset, as: String.self), constant))
      }
    }
  }

  private static func optionalTextTest(
    _ offset: Int, _ comparison: Comparison, _ constant: String
  ) -> (UnsafeRawPointer) -> Bool {
    {
      guard let text = $0.load(fromByteOffset: offset, as: String?.self) else {
        return comparison == .notEqual
      }
      return comparison.holds(order: TextBytes.compare(text, constant))
    }
  }

  private func nilTest<Value>(_ comparison: Comparison, _ type: Value.Type) -> (
    (UnsafeRawPointer) -> Bool
  )? {
    let offset = offset
    switch comparison {
    case .equal: return { $0.load(fromByteOffset: offset, as: Value?.self) == nil }
    case .notEqual: return { $0.load(fromByteOffset: offset, as: Value?.self) != nil }
    default: return { _ in false }
    }
  }
}
