/// An optional of any type.
package protocol OptionalValue {
  static var wrappedType: Any.Type { get }
  /// Returns the wrapped value of an optional of this type, or nil.
  static func content(of optional: Any) -> Any?
}

extension Optional: OptionalValue {
  package static var wrappedType: Any.Type { Wrapped.self }

  package static func content(of optional: Any) -> Any? { (optional as? Self)?.map { $0 as Any } }
}
