internal import Locking

/// The properties of an entity, and the function that makes its struct from them.
///
///     static let attributes = Attributes(
///       .id(\Car.id), .attribute("model", \.model), .attribute("year", \.year, default: 2000),
///       .one("owner", \.owner, inverse: \.cars, onDelete: .nullify))
///     static let schema = Schema(
///       attributes, Car.init, rules: [.unique(\.model, \.year), .index(\.year)])
///
/// The schema names the memberwise initialiser. So a property that is forgotten, misspelt or in the
/// wrong place doesn't compile, and properties may be `let`.
public struct Schema<Root: Entity>: Sendable {
  // There is one reference, so that it is cheap to ask a type for its schema.
  let core: Core

  final class Core: Sendable {
    let parts: [AttributePart<Root>]
    let rules: [Rule<Root>]
    let idAccess: IdentityAccess<Root>
    let entity: EntityDescription

    init(
      _ parts: [AttributePart<Root>], _ rules: [Rule<Root>], _ idAccess: IdentityAccess<Root>,
      make: @escaping @Sendable (inout UnsafeColumnReader) throws -> RowBox
    ) {
      self.parts = parts
      self.rules = rules
      self.idAccess = idAccess
      entity = EntityDescription(parts, rules, idAccess, makeBox: make)
    }
  }

  /// Creates a schema of `attributes`, which have the order of `make`'s parameters.
  ///
  /// - Parameters:
  ///   - attributes: the attributes, from their own property; see ``Attributes``.
  ///   - make: the memberwise initialiser, another one with these parameters, or a closure. It has
  ///     to give each property the value of its attribute. If it makes a property of something
  ///     else, a file returns that.
  ///   - rules: the rules that objects of the entity have to meet, and indexes.
  /// - Precondition: one attribute is the id, names differ in more than case, and rules name
  ///   attributes of the schema.
  @inlinable public init<each Value: Sendable>(
    _ attributes: Attributes<Root, repeat each Value>,
    _ make: @escaping @Sendable (repeat each Value) -> Root,
    rules: [Rule<Root>] = []
  ) {
    // Inlinable, so that the app's module makes its own types without asking the runtime for them.
    // Only the types are passed on, since each attribute would be copied for each row.
    self.init(attributes.parts, rules) { reader in
      TypedRow.make(make(repeat try reader.next((each Value).self)))
    }
  }

  @usableFromInline init(
    _ parts: [AttributePart<Root>], _ rules: [Rule<Root>],
    make: @escaping @Sendable (inout UnsafeColumnReader) throws -> RowBox
  ) {
    guard let idAccess = parts.lazy.compactMap(\.idAccess).first else {
      let name = Root.entityName
      mistake("The schema of \(name) has no id; add .id(\\\(name).id)")
    }
    core = Core(parts, rules, idAccess, make: make)
  }

  /// The schema without its type, as storages see it.
  @_spi(Storage) public var entity: EntityDescription { core.entity }

  @usableFromInline package func stored(_ id: Root.ID) -> StoredValue { core.idAccess.store(id) }

  package func id(stored: StoredValue) throws -> Root.ID { try core.idAccess.load(stored) }
}
