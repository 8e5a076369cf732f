internal import Locking

/// A schema without its type, for storages, queries and observers.
///
///     let entity = Car.schema.entity
///     entity.name  // "Car"
///     entity.columns[entity.identity].name  // "id"
///
/// There is one for each entity type, so two descriptions are equal if they describe the same type.
@_spi(Storage) public final class EntityDescription: Sendable {
  /// The entity's name.
  public let name: String
  /// The attributes, in the order of the initialiser.
  public let columns: [Column]
  /// The position of the id among the columns.
  public let identity: Int
  /// The keys that no two objects share, as positions among the columns.
  public var uniqueKeys: [[Int]] { rules.uniqueKeys }
  /// The indexes that the schema asks for, as positions among the columns.
  public var indexes: [[Int]] { rules.indexes }
  /// The positions of columns whose words are indexed; empty without a rule `.fullText`.
  public var fullText: [Int] { rules.fullText }
  /// The names that the entity had before, newest first.
  public var formerNames: [String] { rules.formerNames }
  package var hasFormerColumns: Bool { columns.contains { !$0.formerNames.isEmpty } }
  /// The names of attributes that the entity had and no longer has.
  public var droppedNames: [String] { rules.droppedNames }
  /// The positions of columns that refer to other objects.
  public let references: [Int]
  /// The keys by which objects are looked up: references, unique keys and indexes.
  let lookupKeys: [[Int]]
  /// The positions of columns whose values could be NaN: those with a fraction, and some others.
  ///
  /// An app's type, or a decimal number, may be stored as text and still have a NaN.
  let reals: [Int]
  /// True if there are rules about the values of one object.
  var hasValueRules: Bool { storeIDAgain != nil || !required.isEmpty || !rules.checks.isEmpty }
  let rules: EntityRules
  /// The positions of columns, except the id, that could hold nil when a commit ends and must not.
  ///
  /// An app's type may store a value as nil without being optional, which a file refuses. A part of
  /// a composite id may do so, too. A late-bound reference keeps it although no object has it.
  let required: [Int]
  /// The function that reads an id from its stored form and stores it again.
  ///
  /// It returns nil if the stored form gives no id. The function itself is nil if all ids are known
  /// to be read back as they were stored.
  let storeIDAgain: (@Sendable (StoredValue) -> StoredValue?)?
  let access: [ColumnAccess]
  /// The places of the columns that are read directly.
  package let fieldPlaces: ContiguousArray<UnsafeFieldPlace?>
  /// True if all attributes are numbers, Booleans and texts.
  ///
  /// Their release runs no code of the app.
  let holdsPlainValues: Bool
  /// The decoder of each column's values.
  let decoders: ContiguousArray<AnyValueDecoder>
  package let type: ObjectIdentifier
  /// The attributes that might be swapped.
  let order: AttributeOrder
  private let places: Places
  let makeValue: @Sendable (EntityRow) -> any Entity
  private let storeID: @Sendable (Any) -> StoredValue?
  private let makeBox: @Sendable (inout UnsafeColumnReader) throws -> RowBox

  /// The position of each property.
  ///
  /// Key paths to properties capture nothing.
  private struct Places: @unchecked Sendable {
    let columns: [AnyKeyPath: Int]
  }

  init<Root: Entity>(
    _ parts: [AttributePart<Root>], _ rules: [Rule<Root>], _ idAccess: IdentityAccess<Root>,
    makeBox: @escaping @Sendable (inout UnsafeColumnReader) throws -> RowBox
  ) {
    let name = Root.entityName
    let columns = parts.map(\.column)
    let access = parts.map(\.access)
    let ids = parts.indices.filter { parts[$0].idAccess != nil }
    let identity = ids[0]
    mustHold(
      ids.count == 1, "The schema of \(name) has two ids; a second one is an .attribute")
    mustHold(
      !columns[identity].isOptional, "The id of \(name) may be nil; give every object one")
    var places: [AnyKeyPath: Int] = [:]
    for (index, column) in access.enumerated() {
      mustHold(
        places.updateValue(index, forKey: column.path) == nil,
        "Two attributes of \(name) name one property, the second as \"\(columns[index].name)\"")
    }
    let rules = EntityRules(rules, places, of: name)
    self.name = name
    self.columns = columns
    self.identity = identity
    self.access = access
    decoders = ContiguousArray(parts.map(\.decoder))
    fieldPlaces = ContiguousArray(access.map(\.place))
    holdsPlainValues = access.allSatisfy { $0.place != nil }
    self.rules = rules
    type = ObjectIdentifier(Root.self)
    order = AttributeOrder(of: parts.map(\.decoder.type))
    self.places = Places(columns: places)
    makeValue = { $0.value(as: Root.self) }
    storeID = { ($0 as? Root.ID).map(idAccess.store) }
    let again: @Sendable (StoredValue) -> StoredValue? = {
      (try? idAccess.load($0)).map(idAccess.store)
    }
    storeIDAgain = idAccess.isExact ? nil : again
    self.makeBox = makeBox
    references = columns.indices.filter { columns[$0].reference != nil }
    var keys = references.map { [$0] }
    for key in rules.uniqueKeys + rules.indexes where !keys.contains(key) { keys.append(key) }
    lookupKeys = keys
    reals = columns.indices.filter {
      switch columns[$0].type {
      case .real, .list: true
      case .text: access[$0].place == nil
      case .integer, .bytes: false
      }
    }
    required = columns.indices.filter { index in
      let column = columns[index]
      if index == identity { return false }
      if rules.required.contains(index) { return true }
      if column.type == .list { return column.reference?.isLateBound ?? false }
      return !column.isOptional && !column.isExact
    }
    checkNames()
    checkFormerNames()
    checkInverses()
  }

  private func checkNames() {
    mustHold(
      columns[identity].type != .list || !columns[identity].ownParts.isEmpty,
      "The id of \(name) is a reference to an object whose id has parts; give \(name) an id of the same parts, and "
        + "declare a reference beside it with .one")
    var whole: Set<String> = []
    for column in columns {
      mustHold(!column.name.isEmpty, "An attribute of \(name) has an empty name")
      // An object's JSON has each attribute as a whole, and so does a feed.
      mustHold(
        whole.insert(column.name.lowercased()).inserted,
        "The schema of \(name) has two attributes named \"\(column.name)\"")
      mustHold(
        column.type != .list || column.reference != nil || !column.ownParts.isEmpty,
        "\(name).\(column.name) refers to an object whose id has several parts; declare it with .one"
      )
    }
    for column in fullText {
      mustHold(
        [ObjectIdentifier(String.self), ObjectIdentifier(String?.self)]
          .contains(ObjectIdentifier(decoders[column].type))
          && Set(fullText).count == fullText.count,
        "The rule .fullText of \(name) names \"\(columns[column].name)\", which isn't a String or is named twice; "
          + "name attributes of type String once")
    }
    // The parts of a reference are read from its target's schema, when a store opens.
    checkNames { $0.reference == nil ? $0.ownParts : [] }
  }

  /// Checks that no two columns have the same name, including the parts of references.
  ///
  /// The targets' schemas must have been made.
  func checkPartNames() { checkNames(\.parts) }

  private func checkNames(_ parts: (Column) -> [Column.Part]) {
    var names: Set<String> = []
    for column in columns {
      let parts = parts(column).map(\.name)
      for part in parts.isEmpty ? [column.name] : parts {
        mustHold(
          names.insert(part.lowercased()).inserted,
          "The schema of \(name) has two attributes named \"\(part)\"")
      }
    }
  }

  /// Returns the stored form of an id of this entity, or nil for a value of another type.
  package func storedID(of value: Any) -> StoredValue? { storeID(value) }

  /// Returns the stored form of a composite id.
  ///
  /// - Precondition: the id is of this entity.
  func storedID<ID: CompositeID>(_ id: ID) -> StoredValue {
    guard let stored = storeID(id) else {
      mistake("\(ID.self) is no id of \(name)")
    }
    return stored
  }

  /// Returns true if a value is of the type of the entity's ids.
  ///
  /// A file would accept the text "7" for the number 7, but memory doesn't (S8).
  package func canHaveID(_ id: StoredValue) -> Bool {
    let column = columns[identity]
    guard case .list(let parts) = id else { return id.isOf(column.type) }
    return column.type == .list && parts.count == column.parts.count
      && zip(parts, column.parts).allSatisfy { $0.isOf($1.type) }
  }

  /// Returns the row whose columns hold `values`, in the order of the columns.
  ///
  /// - Throws: ``StoreError/unreadable(_:attribute:found:)`` if a value is not of its column's
  ///   type.
  /// - Precondition: there is one value for each column.
  public func row(_ values: [StoredValue]) throws -> EntityRow {
    mustHold(
      values.count == columns.count,
      "A row of \(name) has \(columns.count) values, and \(values.count) are given; give one for each column"
    )
    var reader = UnsafeColumnReader(entity: self, values: values)
    return EntityRow(try makeBox(&reader))
  }

  /// Returns the row whose columns hold the values of some cells, one for each column.
  ///
  /// The cells are read before the function returns.
  ///
  /// - Throws: ``StoreError/unreadable(_:attribute:found:)`` if a value is not of its column's
  ///   type.
  package func row(cells: UnsafePointer<UnsafeStoredCell>) throws -> EntityRow {
    var reader = UnsafeColumnReader(entity: self, cells: cells)
    return EntityRow(try makeBox(&reader))
  }

  /// Returns the column of the property at `path`.
  ///
  /// - Precondition: the schema lists the property.
  package func column(_ path: AnyKeyPath) -> Int {
    guard let place = places.columns[path] else {
      mistake(
        "\(path) is no attribute of \(name); a query can name only stored properties that the schema lists"
      )
    }
    return place
  }

  /// Returns the column of the property at `path`, or nil if the schema doesn't list it.
  package func columnIfListed(_ path: AnyKeyPath) -> Int? { places.columns[path] }

  /// Returns the position of the column with a name, or nil if there is none.
  public func column(named name: String) -> Int? {
    columns.firstIndex { TextBytes.equal($0.name, name) }
  }
}

@_spi(Storage) extension EntityDescription: Hashable {
  /// Returns true if both describe the same type.
  public static func == (a: EntityDescription, b: EntityDescription) -> Bool { a.type == b.type }

  /// Hashes the type.
  public func hash(into hasher: inout Hasher) { hasher.combine(type) }
}
