/// A reference of any entity, optional or not.
protocol AnyReference {
  static var idType: Any.Type { get }
  static var targetName: String { get }
  static var isOptional: Bool { get }
}
