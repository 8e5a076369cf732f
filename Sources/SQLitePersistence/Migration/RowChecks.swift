@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

/// A check that the rows of a table allow a change.
///
/// Its errors name the objects that don't.
///
/// The rows are checked in their future form.
struct RowChecks {
  private let change: TableChange
  private let shape: TableShape
  private let connection: Connection
  private var entity: EntityDescription { change.entity }

  init(_ change: TableChange, _ shape: TableShape, _ connection: Connection) {
    self.change = change
    self.shape = shape
    self.connection = connection
  }

  /// Throws if a row prevents the change.
  ///
  /// - Parameter isMigrated: true if a migration has just written the rows.
  /// - Throws: ``/EntityStore/StoreError/storage(_:)``.
  func check(isMigrated: Bool) throws {
    guard try shape.hasRows(connection) else { return }
    try checkColumns(isMigrated: isMigrated)
    for source in change.sources {
      if source.isOfAnyType || !shape.isStrict, source.found != nil { try checkType(source) }
      if source.mayLackValue { try checkPresence(source) }
    }
    for key in change.newKeys { try checkUnique(key) }
  }

  private func checkColumns(isMigrated: Bool) throws {
    if let name = change.unknown.first {
      throw refusal(
        "has a column \"\(name)\" that its schema doesn't",
        EntityDescription.remedy(ofUnknown: name, isMigrated: isMigrated))
    }
    if change.changesIdentity {
      throw refusal("has another id", "write a migration: \(example("id"))")
    }
    for source in change.sources where source.isOfOtherType {
      throw refusal(
        "has a column \"\(source.column.name)\" of type \(source.found?.type ?? ""), and its schema one "
          + "of type \(source.type)",
        "write a migration: \(example(source.column.name))")
    }
    let missing = change.sources.filter { $0.found == nil && $0.mayLackValue }
      .map { "\"\($0.column.name)\"" }
    if !missing.isEmpty {
      throw refusal(
        "has no column \(missing.joined(separator: ", and none named "))",
        "give the attribute a default, make it optional, or write a migration: "
          + example(change.sources.first { $0.found == nil && $0.mayLackValue }?.column.name ?? ""))
    }
  }

  /// Returns the migration that an error shows as an example.
  private func example(_ attribute: String) -> String {
    let entity = Self.literal(entity.name)
    return
      "migrations: [Migration(\(Self.literal("new \(attribute)"))) { context in try "
      + "context.rewrite(\(entity)) { old in var new = old; "
      + "new.set(\(Self.literal(attribute)), to: …); return new } }]"
  }

  private static func literal(_ text: String) -> String {
    "\""
      + text.unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
      + "\""
  }

  // MARK: Values

  /// The rows in their future form, under the names of the schema.
  private var source: (sql: String, values: [StoredValue]) {
    let expressions = change.sources.map { ($0.column.quotedName, $0.expression) }
    let list = expressions.map { "\($1.sql) AS \($0)" }.joined(separator: ", ")
    return ("(SELECT \(list) FROM \(shape.quotedName))", expressions.flatMap(\.1.values))
  }

  private func checkType(_ source: ColumnSource) throws {
    let types =
      switch source.column.type {
      case .integer: "'integer', 'null'"
      case .real: "'real', 'integer', 'null'"
      case .text: "'text', 'null'"
      case .bytes, .list: "'blob', 'null'"
      }
    let found = try objects(where: "typeof(\(source.column.quotedName)) NOT IN (\(types))", [])
    if found.isEmpty { return }
    throw refusal(
      "has values of \"\(source.column.name)\" that aren't of type \(source.type), in "
        + found.listedOrOthers,
      "give them that type in the migration")
  }

  private func checkPresence(_ source: ColumnSource) throws {
    let found = try objects(where: "\(source.column.quotedName) IS NULL", [])
    if found.isEmpty { return }
    throw refusal(
      "has no value of \"\(source.column.name)\" in \(found.listedOrOthers), and its schema requires one",
      "give the attribute a default, leave it optional, or write a migration: "
        + example(source.column.name))
  }

  private func checkUnique(_ key: [Int]) throws {
    let columns = entity.sqlColumns(of: key)
    let list = columns.map(\.quotedName).joined(separator: ", ")
    let isSet = columns.map { "\($0.quotedName) IS NOT NULL" }.joined(separator: " AND ")
    var values: [StoredValue]?
    let (sql, bound) = source
    try connection.query(
      "SELECT \(list) FROM \(sql) WHERE \(isSet) GROUP BY \(list) HAVING COUNT(*) > 1 LIMIT 1"
    ).run(bound) { row in
      values = columns.indices.map { row.value($0) }
    }
    guard let values else { return }
    let condition = columns.map { "\($0.quotedName) = ?" }.joined(separator: " AND ")
    let names = key.map { "\"\(entity.columns[$0].name)\"" }.joined(separator: " and ")
    let found = try objects(where: condition, values)
    let filled = key.filter { index in
      change.sources.contains {
        $0.isFilled && $0.attribute.name == entity.columns[index].name
      }
    }
    let isDefault = !filled.isEmpty
    throw refusal(
      "\(isDefault ? "would have" : "has") the same \(names) in \(found.listedOrOthers)"
        + "\(isDefault ? ", where its default is filled in," : ",") and its schema says that no two "
        + "objects have",
      "\(isDefault ? "leave the attribute optional and without a default, or " : "")write a migration that "
        + "gives each its own: \(example(entity.columns[filled.first ?? key[0]].name))")
  }

  /// Returns the names of the first few objects that meet a condition.
  private func objects(where condition: String, _ values: [StoredValue]) throws -> [String] {
    let shape = SQLRowShape([entity.columns[entity.identity]])
    let list = entity.sqlColumns(of: [entity.identity]).map(\.quotedName).joined(separator: ", ")
    let (sql, bound) = source
    var names: [String] = []
    try connection.query("SELECT \(list) FROM \(sql) WHERE \(condition) LIMIT 4")
      .run(bound + values) {
        names.append(ObjectID(entityName: entity.name, id: shape.values($0.value)[0]).description)
      }
    return names
  }

  private func refusal(_ what: String, _ remedy: String) -> StoreError {
    .storage(
      StorageFault(
        .schemaMismatch, "\(connection.path): the table of \(entity.name) \(what); \(remedy)"))
  }
}
