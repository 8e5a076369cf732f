/// A type of which it can be said whether its values hold objects.
private protocol Holding {
  static var holdsNoObjects: Bool { get }
}

/// Whether a value of `type` holds nothing that can run anybody's code when it is released.
///
/// That is known of numbers and structs of numbers, of texts, and of arrays, sets, dictionaries and
/// optionals of these. Of all else it isn't, so false means perhaps.
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
