internal import Locking

/// A schema without its type: what storages, queries and observers know of an entity.
///
/// There is one for each entity type, so descriptions are equal where they are the same object.
public final class EntityDescription: Sendable {
  /// The entity's name.
  public let name: String
  /// The attributes, in the order of the initialiser.
  public let columns: [Column]
  /// The position of the id among the columns.
  public let identity: Int
  /// The keys that no two objects share, as positions among the columns.
  public let uniqueKeys: [[Int]]
  /// The indexes asked for, as positions among the columns.
  public let indexes: [[Int]]

  /// The positions of columns that refer to other objects.
  public let references: [Int]
  /// The keys by which objects are looked up: references and unique keys.
  let lookupKeys: [[Int]]
  /// The positions of columns that hold numbers with a fraction, which could be NaN.
  let reals: [Int]
  package let type: ObjectIdentifier
  /// How many objects have been looked at for attributes in the wrong order.
  private let probes = AtomicWord(0)
  private let places: Places
  private let makeRow: @Sendable (EntityDescription, [StoredValue]) throws -> EntityRow

  /// Where each property stands.
  ///
  /// Key paths to properties capture nothing.
  private struct Places: @unchecked Sendable {
    let columns: [AnyKeyPath: Int]
  }

  init(
    name: String, columns: [Column], identity: Int, uniqueKeys: [[Int]], indexes: [[Int]],
    places: [AnyKeyPath: Int], type: ObjectIdentifier,
    makeRow: @escaping @Sendable (EntityDescription, [StoredValue]) throws -> EntityRow
  ) {
    self.name = name
    self.columns = columns
    self.identity = identity
    self.uniqueKeys = uniqueKeys
    self.indexes = indexes
    self.type = type
    self.places = Places(columns: places)
    self.makeRow = makeRow
    references = columns.indices.filter { columns[$0].reference != nil }
    lookupKeys = references.map { [$0] } + uniqueKeys
    reals = columns.indices.filter { columns[$0].type == .real }
  }

  /// The row version whose columns hold `values`, in the order of the columns.
  ///
  /// - Throws: ``StoreError/unreadable(entity:attribute:found:)`` if a value is not of its column's
  ///   type.
  public func row(_ values: [StoredValue]) throws -> EntityRow {
    try makeRow(self, values)
  }

  /// The column of the property at `path`.
  ///
  /// - Precondition: the schema lists the property.
  package func column(_ path: AnyKeyPath) -> Int {
    guard let place = places.columns[path] else {
      preconditionFailure(
        "\(path) is no attribute of \(name); list it in the schema to use it in a query")
    }
    return place
  }

  /// The column of the property at `path`, or nil if the schema doesn't list it.
  package func columnIfListed(_ path: AnyKeyPath) -> Int? { places.columns[path] }

  /// The column of the reference whose inverse is the to-many property at `path`.
  func referenceColumn(inverse path: AnyKeyPath) -> Int {
    for (index, column) in columns.enumerated() where column.reference?.inverse?.path == path {
      return index
    }
    preconditionFailure(
      "No reference of \(name) names \(path) as its inverse; say .one(…, inverse: …) in its schema")
  }

  /// Checks, for the first objects, that a row made of an object's stored values is the object.
  ///
  /// Two attributes of one type in another order than the initialiser's parameters compile, and
  /// would come back from a file in each other's place.
  func checkOrder(of row: EntityRow) {
    guard probes.loadRelaxed() < 100 else { return }
    probes.add(1)
    guard let again = try? self.row(row.values), let column = again.changedColumns(from: row).first
    else { return }
    preconditionFailure(
      "\(name).\(columns[column].name) comes back as another value; list the attributes of the schema "
        + "in the order of the initialiser's parameters, each with its own property")
  }

  /// The position of the column with a name, if there is one.
  public func column(named name: String) -> Int? {
    columns.firstIndex { $0.name == name }
  }
}

extension EntityDescription: Hashable {
  /// Whether both describe the same type.
  public static func == (a: EntityDescription, b: EntityDescription) -> Bool { a.type == b.type }

  /// Hashes the type.
  public func hash(into hasher: inout Hasher) { hasher.combine(type) }
}
