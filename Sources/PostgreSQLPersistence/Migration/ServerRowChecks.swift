#if PostgreSQL
@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

/// A check that the rows of a table allow a change; its errors name the objects that don't.
struct ServerRowChecks {
  let change: ServerTableChange
  let shape: ServerShape
  let connection: ServerConnection
  private var entity: EntityDescription { change.entity }

  /// Throws if a row prevents the change.
  ///
  /// - Parameter isLoose: true if a migration may have left columns of other types.
  /// - Throws: ``/EntityStore/StoreError/storage(_:)``.
  func check(isLoose: Bool) throws {
    guard try shape.hasRows(connection) else { return }
    if let name = change.unknown.first {
      throw refusal(
        "has a column \"\(name)\" that its schema doesn't",
        EntityDescription.remedy(ofUnknown: name, isMigrated: isLoose))
    }
    if change.changesIdentity {
      throw refusal("has another id", "write a migration that rewrites it")
    }
    for source in change.sources where source.isOfOtherType {
      try checkType(source, isLoose: isLoose)
    }
    let missing = change.sources.filter { $0.found == nil && $0.mayLackValue }
      .map { "\"\($0.column.name)\"" }
    if !missing.isEmpty {
      throw refusal(
        "has no column \(missing.joined(separator: ", and none named "))",
        "give the attribute a default, make it optional, or write a migration that rewrites it")
    }
    for source in change.sources where source.found != nil && source.mayLackValue {
      try checkPresence(source)
    }
    for key in change.newKeys { try checkUnique(key) }
  }

  private func checkType(_ source: ServerTableChange.Source, isLoose: Bool) throws {
    guard let found = source.found else { return }
    let name = SQL.quoted(found.name)
    if isLoose && found.type == .bigint && source.type == .double { return }
    // A migration may have left a column in which no row has a value.
    let value = "SELECT 1 FROM \(shape.quotedName) WHERE \(name) IS NOT NULL LIMIT 1"
    if isLoose, try connection.run(value, []).rowCount == 0 { return }
    throw refusal(
      "has a column \"\(source.column.name)\" of type \(found.type?.sql ?? "another program's"), and its "
        + "schema one of type \(source.type.sql)", "write a migration that rewrites it")
  }

  private func checkPresence(_ source: ServerTableChange.Source) throws {
    let found = try objects(where: "\(source.column.quotedName) IS NULL", [])
    if found.isEmpty { return }
    throw refusal(
      "has no value of \"\(source.column.name)\" in \(found.listedOrOthers), and its schema requires one",
      "give the attribute a default, leave it optional, or write a migration that rewrites it")
  }

  /// The rows in their future form, under the names of the schema.
  private func future(_ first: Int) -> (sql: String, values: [StoredValue]) {
    var values: [StoredValue] = []
    let list = change.sources.map { source in
      let name = source.column.quotedName
      guard let fill = source.fill else {
        return source.found == nil
          ? "CAST(NULL AS \(source.type.name)) AS \(name)"
          : "\(SQL.quoted(source.found?.name ?? "")) AS \(name)"
      }
      values.append(fill)
      let place = "CAST($\(first + values.count - 1) AS \(source.type.name))"
      return source.found.map { "COALESCE(\(SQL.quoted($0.name)), \(place)) AS \(name)" }
        ?? "\(place) AS \(name)"
    }
    return ("(SELECT \(list.joined(separator: ", ")) FROM \(shape.quotedName)) AS future", values)
  }

  private func checkUnique(_ key: [Int]) throws {
    let columns = entity.sqlColumns(of: key)
    let list = columns.map(\.quotedName).joined(separator: ", ")
    let isSet = columns.map { "\($0.quotedName) IS NOT NULL" }.joined(separator: " AND ")
    let (sql, bound) = future(1)
    let twice = try connection.run(
      "SELECT \(list) FROM \(sql) WHERE \(isSet) GROUP BY \(list) HAVING COUNT(*) > 1 LIMIT 1",
      bound
    )
    if twice.rowCount == 0 { return }
    let values = columns.indices.map { twice.value(0, $0, keepsNaN: true) }
    let condition = columns.enumerated().map { "\($1.quotedName) = $\($0 + 1)" }
      .joined(separator: " AND ")
    let names = key.map { "\"\(entity.columns[$0].name)\"" }.joined(separator: " and ")
    let isDefault = change.sources.contains { source in
      source.isFilled && key.contains { entity.columns[$0].name == source.attribute.name }
    }
    throw refusal(
      "\(isDefault ? "would have" : "has") the same \(names) in "
        + (try objects(where: condition, values)).listedOrOthers
        + "\(isDefault ? ", where its default is filled in," : ",") and its schema says that no two "
        + "objects have",
      "\(isDefault ? "leave the attribute optional and without a default, or " : "")write a migration that "
        + "gives each its own")
  }

  /// Returns the names of the first few objects that meet a condition.
  private func objects(where condition: String, _ values: [StoredValue]) throws -> [String] {
    let (sql, bound) = future(values.count + 1)
    let id = entity.sqlColumns(of: [entity.identity]).map(\.quotedName).joined(separator: ", ")
    let found = try connection.run(
      "SELECT \(id) FROM \(sql) WHERE \(condition) LIMIT 4", values + bound)
    let shape = SQLRowShape([entity.columns[entity.identity]])
    return (0..<found.rowCount).map { row in
      ObjectID(entityName: entity.name, id: shape.values { found.value(row, $0) }[0]).description
    }
  }

  /// Throws if a row refers to one that doesn't exist.
  func checkReferences() throws {
    for index in entity.checkedReferences {
      guard let target = entity.columns[index].reference?.target else { continue }
      let own = entity.sqlColumns(of: [index])
      let isSet = own.map { "child.\($0.quotedName) IS NOT NULL" }.joined(separator: " AND ")
      let isSame = zip(own, target.sqlColumns(of: [target.identity]))
        .map { "child.\($0.quotedName) = parent.\($1.quotedName)" }.joined(separator: " AND ")
      let id = entity.sqlColumns(of: [entity.identity]).map { "child.\($0.quotedName)" }
        .joined(separator: ", ")
      let found = try connection.run(
        "SELECT \(id) FROM \(entity.quotedName) AS child WHERE \(isSet) AND NOT EXISTS "
          + "(SELECT 1 FROM \(target.quotedName) AS parent WHERE \(isSame)) LIMIT 4", [])
      if found.rowCount == 0 { continue }
      let shape = SQLRowShape([entity.columns[entity.identity]])
      let names = (0..<found.rowCount).map { row in
        ObjectID(entityName: entity.name, id: shape.values { found.value(row, $0) }[0]).description
      }
      throw StoreError.storage(
        StorageFault(
          .schemaMismatch,
          "\(connection.place): \(names.listedOrOthers) \(names.count == 1 ? "refers" : "refer") by "
            + "\(entity.columns[index].name) to a \(target.name) that isn't there; make the reference "
            + "late-bound, or mend it in a migration"))
    }
  }

  private func refusal(_ what: String, _ remedy: String) -> StoreError {
    .storage(
      StorageFault(
        .schemaMismatch, "\(connection.place): the table of \(entity.name) \(what); \(remedy)"))
  }
}
#endif
