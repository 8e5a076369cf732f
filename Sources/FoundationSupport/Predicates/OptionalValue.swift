/// An optional of any type.
protocol OptionalValue {
  /// The type of what it holds.
  static var wrappedType: Any.Type { get }
  /// What an optional of this type holds, or nil.
  static func content(of optional: Any) -> Any?
}

extension Optional: OptionalValue {
  static var wrappedType: Any.Type { Wrapped.self }

  static func content(of optional: Any) -> Any? { (optional as? Self)?.map { $0 as Any } }
}
