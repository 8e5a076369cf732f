/// A type that knows whether its values hold objects.
private protocol Holding {
  static var holdsNoObjects: Bool { get }
}

/// Returns true if releasing a value of `type` can't run a user's code.
///
/// This is known for numbers, structs of numbers and texts, and for arrays, sets, dictionaries and
/// optionals of these. For all other types it isn't known, so false means that it may.
func holdsNoObjects<Value>(_ type: Value.Type) -> Bool {
  if _isPOD(Value.self) { return true }
  return (Value.self as? any Holding.Type)?.holdsNoObjects ?? false
}

extension String: Holding {
  fileprivate static var holdsNoObjects: Bool { true }
}

extension Optional: Holding {
  fileprivate static var holdsNoObjects: Bool { Relays.holdsNoObjects(Wrapped.self) }
}

extension Array: Holding {
  fileprivate static var holdsNoObjects: Bool { Relays.holdsNoObjects(Element.self) }
}

extension ContiguousArray: Holding {
  fileprivate static var holdsNoObjects: Bool { Relays.holdsNoObjects(Element.self) }
}

extension Set: Holding {
  fileprivate static var holdsNoObjects: Bool { Relays.holdsNoObjects(Element.self) }
}

extension Dictionary: Holding {
  fileprivate static var holdsNoObjects: Bool {
    Relays.holdsNoObjects(Key.self) && Relays.holdsNoObjects(Value.self)
  }
}
