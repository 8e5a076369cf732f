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
  let storeID: @Sendable (Root.ID) -> StoredValue
  private let decoders: Decoders

  /// How the value of each property is made from its stored form.
  ///
  /// Each is a function of the type that the property has.
  private struct Decoders: @unchecked Sendable {
    // @unchecked: key paths to properties and the functions capture nothing that changes.
    var functions: [AnyKeyPath: any Sendable] = [:]
  }

  /// A schema of `attributes`, which stand in the order of `make`'s parameters.
  ///
  /// - Precondition: one attribute is the id, names differ (also in more than case), and rules name
  ///   attributes of the schema.
  public init<each Value: Sendable>(
    _ make: @escaping @Sendable (repeat each Value) -> Root,
    _ attributes: repeat Attribute<Root, each Value>,
    rules: [Rule<Root>] = []
  ) {
    var columns: [Column] = []
    var access: [ColumnAccess<Root>] = []
    var identity: Int?
    var decoders = Decoders()
    var storeID: (@Sendable (Root.ID) -> StoredValue)?
    for attribute in repeat each attributes {
      if attribute.isIdentity {
        identity = columns.count
        storeID = (attribute as? Attribute<Root, Root.ID>)?.encode
      }
      decoders.functions[attribute.access.path] = attribute.decode
      columns.append(attribute.column)
      access.append(attribute.access)
    }
    guard let identity, let storeID else {
      preconditionFailure("The schema of \(Root.entityName) has no id; add .id(\\.id)")
    }
    let name = Root.entityName
    var places: [AnyKeyPath: Int] = [:]
    for (index, column) in access.enumerated() { places[column.path] = index }
    var uniqueKeys: [[Int]] = []
    var indexes: [[Int]] = []
    for rule in rules {
      let key = rule.paths.map { path -> Int in
        guard let place = places[path] else {
          preconditionFailure("A rule of \(name) names a property that its schema doesn't")
        }
        return place
      }
      if rule.kind == .unique { uniqueKeys.append(key) } else { indexes.append(key) }
    }
    Self.check(columns, of: name)

    let construct: @Sendable (inout ColumnReader) throws -> Root = { reader in
      make(repeat try reader.next(each attributes))
    }
    self.access = access
    self.identity = identity
    self.storeID = storeID
    self.decoders = decoders
    let sendableAccess = access
    entity = EntityDescription(
      name: name, columns: columns, identity: identity, uniqueKeys: uniqueKeys, indexes: indexes,
      places: places, type: ObjectIdentifier(Root.self)
    ) { entity, values in
      var reader = ColumnReader(entity: entity, values: values)
      let value = try construct(&reader)
      return TypedRow(entity: entity, id: values[identity], value: value, access: sendableAccess)
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

  /// The stored form of an id.
  package func stored(_ id: Root.ID) -> StoredValue { storeID(id) }

  /// The value of the property at `path` whose stored form is given.
  package func decode<Value>(_ stored: StoredValue, at path: KeyPath<Root, Value>) throws -> Value {
    guard let decode = decoders.functions[path] as? @Sendable (StoredValue) throws -> Value else {
      preconditionFailure("\(path) is no attribute of \(entity.name)")
    }
    return try decode(stored)
  }

  /// The row version of `value`.
  package func row(_ value: Root) -> TypedRow<Root> {
    let id = withUnsafePointer(to: value) { access[identity].read($0) }
    return TypedRow(entity: entity, id: id, value: value, access: access)
  }
}

/// The stored values of one row, handed out in the order of the columns.
struct ColumnReader {
  let entity: EntityDescription
  let values: [StoredValue]
  private var index = 0

  init(entity: EntityDescription, values: [StoredValue]) {
    self.entity = entity
    self.values = values
  }

  mutating func next<Root, Value>(_ attribute: Attribute<Root, Value>) throws -> Value {
    defer { index += 1 }
    do {
      return try attribute.decode(values[index])
    } catch {
      throw StoreError.unreadable(
        entity: entity.name, attribute: attribute.column.name, found: values[index])
    }
  }
}
