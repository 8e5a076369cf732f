/// A reference, or an optional one, of any entity.
protocol AnyReference {
  static var idType: Any.Type { get }
  static var targetName: String { get }
  static var isOptional: Bool { get }
}
