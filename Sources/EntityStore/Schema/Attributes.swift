/// The attributes of an entity, in the order of its initialiser's parameters.
///
///     static let attributes = Attributes(.id(\Car.id), .attribute("model", \.model))
///     static let schema = Schema(attributes, Car.init)
///
/// They have their own property, and the first of them names the entity. So the compiler knows all
/// their types before it checks the initialiser, and finds a mistake in an entity of fifty
/// attributes in a fraction of a second. It reports a misspelt property where it is written. If an
/// attribute is forgotten or of the wrong type, or two are in the wrong order, it reports the types
/// of the attributes and those that the initialiser takes. In a single expression it would try
/// combinations of both for minutes.
public struct Attributes<Root: Entity, each Value: Sendable>: Sendable {
  @usableFromInline let parts: [AttributePart<Root>]

  /// Creates the list of the attributes.
  @inlinable public init(_ attributes: repeat Attribute<Root, each Value>) {
    var parts: [AttributePart<Root>] = []
    for attribute in repeat each attributes { parts.append(attribute.part) }
    self.parts = parts
  }
}
