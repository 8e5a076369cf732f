/// The attributes of an entity, in the order of its initialiser's parameters.
///
///     static let attributes = Attributes(.id(\Car.id), .attribute("model", \.model))
///     static let schema = Schema(attributes, Car.init)
///
/// They stand in a property of their own, and the first of them names the entity. So the compiler
/// knows all their types before it looks at the initialiser, and a mistake in an entity of fifty
/// attributes is found in a fraction of a second: a misspelt property at its place, and a
/// forgotten one, two in the wrong order or one of the wrong type with the types that the attributes have and
/// those that the initialiser takes. In one expression it tries combinations of both for minutes.
public struct Attributes<Root: Entity, each Value: Sendable>: Sendable {
  @usableFromInline let parts: [AttributePart<Root>]

  /// Lists the attributes.
  @inlinable public init(_ attributes: repeat Attribute<Root, each Value>) {
    var parts: [AttributePart<Root>] = []
    for attribute in repeat each attributes { parts.append(attribute.part) }
    self.parts = parts
  }
}
