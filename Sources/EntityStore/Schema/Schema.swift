/// The properties of an entity, and how its struct is made from them.
///
///     static let schema = Schema(
///       Car.init,
///       .id(\.id), .attribute("model", \.model), .attribute("year", \.year, default: 2000),
///       .one("owner", \.owner, inverse: \.cars, onDelete: .nullify),
///       rules: [.unique(\.model, \.year), .index(\.year)])
///
/// The schema names the memberwise initialiser, so a property that was forgotten, misspelt or put
/// in the wrong place doesn't compile, and properties may be `let`.
public struct Schema<Root: Entity>: Sendable {
  /// The schema without its type, as storages see it.
  public let entity: EntityDescription

  let access: [ColumnAccess<Root>]
  let identity: Int
  private let idAccess: IdentityAccess<Root>

  /// A schema of `attributes`, which stand in the order of `make`'s parameters.
  ///
  /// - Precondition: one attribute is the id, names differ (also in more than case), and rules name
  ///   attributes of the schema.
  @inlinable public init<each Value: Sendable>(
    _ make: @escaping @Sendable (repeat each Value) -> Root,
    _ attributes: repeat Attribute<Root, each Value>,
    rules: [Rule<Root>] = []
  ) {
    var parts: [AttributePart<Root>] = []
    for attribute in repeat each attributes { parts.append(attribute.part) }
    // Inlinable, so that the app's module rebuilds its own types without asking the runtime for
    // theirs.
    self.init(parts, rules) { reader in make(repeat try reader.next(each attributes)) }
  }

  @usableFromInline init(
    _ parts: [AttributePart<Root>], _ rules: [Rule<Root>],
    make: @escaping @Sendable (inout ColumnReader) throws -> Root
  ) {
    let name = Root.entityName
    let columns = parts.map(\.column)
    let access = parts.map(\.access)
    guard let identity = parts.firstIndex(where: { $0.idAccess != nil }),
      let idAccess = parts[identity].idAccess
    else { preconditionFailure("The schema of \(name) has no id; add .id(\\.id)") }
    precondition(
      parts.count(where: { $0.idAccess != nil }) == 1,
      "The schema of \(name) has two ids; a second one is an .attribute")
    precondition(
      !columns[identity].isOptional, "The id of \(name) may be nil; give every object one")
    var places: [AnyKeyPath: Int] = [:]
    for (index, column) in access.enumerated() {
      precondition(
        places.updateValue(index, forKey: column.path) == nil,
        "Two attributes of \(name) name one property, the second as \"\(columns[index].name)\"")
    }
    Self.check(columns, of: name)
    let keys = Self.keys(rules, places, of: name)

    self.access = access
    self.identity = identity
    self.idAccess = idAccess
    entity = EntityDescription(
      name: name, columns: columns, identity: identity, uniqueKeys: keys.unique,
      indexes: keys.indexes, places: places, type: ObjectIdentifier(Root.self)
    ) { entity, values in
      var reader = ColumnReader(entity: entity, values: values)
      let value = try make(&reader)
      return TypedRow(entity: entity, id: values[identity], value: value, access: access)
    }
  }

  private static func check(_ columns: [Column], of name: String) {
    var names: Set<String> = []
    for column in columns {
      precondition(
        names.insert(column.name.lowercased()).inserted,
        "The schema of \(name) has two attributes named \"\(column.name)\"")
      precondition(!column.name.isEmpty, "An attribute of \(name) has an empty name")
    }
  }

  private static func keys(
    _ rules: [Rule<Root>], _ places: [AnyKeyPath: Int], of name: String
  ) -> (unique: [[Int]], indexes: [[Int]]) {
    var unique: [[Int]] = []
    var indexes: [[Int]] = []
    for rule in rules {
      let key = rule.paths.map { path -> Int in
        guard let place = places[path] else {
          preconditionFailure("A rule of \(name) names a property that its schema doesn't")
        }
        return place
      }
      if rule.kind == .unique { unique.append(key) } else { indexes.append(key) }
    }
    return (unique, indexes)
  }

  /// The stored form of an id.
  package func stored(_ id: Root.ID) -> StoredValue { idAccess.store(id) }

  /// The id of a stored form.
  package func id(stored: StoredValue) throws -> Root.ID { try idAccess.load(stored) }

  /// The row version of `value`.
  package func row(_ value: Root) -> TypedRow<Root> {
    let id = withUnsafePointer(to: value) { access[identity].read($0) }
    return TypedRow(entity: entity, id: id, value: value, access: access)
  }
}

/// An attribute without the type of its value.
@usableFromInline struct AttributePart<Root: Entity>: Sendable {
  let column: Column
  let access: ColumnAccess<Root>
  /// How an id is stored and read, if this is the id.
  let idAccess: IdentityAccess<Root>?
}

/// How an entity's id is stored and read.
struct IdentityAccess<Root: Entity>: Sendable {
  let store: @Sendable (Root.ID) -> StoredValue
  let load: @Sendable (StoredValue) throws -> Root.ID
}

/// The stored values of one row, handed out in the order of the columns.
@usableFromInline struct ColumnReader {
  @usableFromInline let entity: EntityDescription
  @usableFromInline let values: [StoredValue]
  @usableFromInline var index = 0

  init(entity: EntityDescription, values: [StoredValue]) {
    self.entity = entity
    self.values = values
  }

  @inlinable mutating func next<Root, Value>(_ attribute: Attribute<Root, Value>) throws -> Value {
    let found = values[index]
    index &+= 1
    do {
      return try attribute.decode(found)
    } catch {
      throw StoreError.unreadable(
        entity: entity.name, attribute: entity.columns[index - 1].name, found: found)
    }
  }
}
