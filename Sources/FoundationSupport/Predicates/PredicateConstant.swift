internal import EntityStore

/// A value that a predicate has captured or computed.
struct PredicateConstant {
  /// The value, unwrapped if it is an optional.
  let value: Any
  /// The stored form, if the type has one; nil always has one.
  let stored: StoredValue?

  init<Value>(_ value: Value) {
    let type = Value.self as? any OptionalValue.Type
    let content = type.map { $0.content(of: value) } ?? value
    self.value = content ?? value
    stored = content == nil ? .null : (content as? any Storable)?.storedValue
  }

  /// The elements, if the value is a sequence.
  var elements: [PredicateConstant]? {
    func elements(_ sequence: some Sequence) -> [PredicateConstant] {
      sequence.map { PredicateConstant($0) }
    }
    return (value as? any Sequence).map { elements($0) }
  }
}
