/// A kind of object that a store keeps.
///
///     struct Person: Entity {
///       let id: Int
///       var name: String
///       static let attributes = Attributes(.id(\Person.id), .attribute("name", \.name))
///       static let schema = Schema(attributes, Person.init)
///     }
///
/// An entity is a plain struct. Its `id` names the object and never changes. Its properties are
/// attributes and references, which the schema lists.
public protocol Entity: Sendable, Identifiable where ID: Hashable & Sendable {
  /// The properties, and the function that makes the struct from them.
  ///
  /// Declare it with `static let`.
  static var schema: Schema<Self> { get }

  /// The name of the entity in files and messages; by default the type's name.
  static var entityName: String { get }
}

extension Entity {
  /// The type's name.
  public static var entityName: String { "\(Self.self)" }
}
