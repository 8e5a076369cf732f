@_spi(Storage) package import EntityStore

/// A check that the rows and the columns of a table allow a change.
///
/// Its errors name the objects that don't. The rows are checked in their future form.
package protocol RowChecking {
  associatedtype Change: TableChanging
  var change: Change { get }
  /// The name of the file or the server's schema.
  var place: String { get }
  /// The rows in their future form, under the names of the schema, as a table of a query.
  var future: SQLTranslation.Piece { get }
  /// Calls `body` with each row of a query.
  func rows(of query: SQLTranslation.Piece, _ body: ((Int) -> StoredValue) -> Void) throws
  /// Returns the advice to write a migration for an attribute, which does `deed`, if that is given.
  func migration(for attribute: String, _ deed: String?) -> String
  /// Throws if the table's column has another type that can't be changed.
  func checkType(_ source: ColumnSource<Change.Found>, hasRun: Bool) throws
  /// Throws if values have another type than their column.
  func checkValues(_ source: ColumnSource<Change.Found>) throws
}

extension RowChecking {
  /// Throws if a row prevents the change, or if an older program would take a column away.
  ///
  /// `isMigrated` is true if a migration may have written the rows, and `hasRun` if one has just
  /// run.
  package func check(hasRows: Bool, isMigrated: Bool, hasRun: Bool) throws {
    // A table without rows is refused, too, since the program that made the column would be refused
    // next. But a migration that rewrites rows leaves an empty table's columns.
    if let name = change.unknown.first, hasRows || !hasRun {
      throw refusal(
        "has a column \"\(name)\" that its schema doesn't",
        EntityDescription.remedy(ofUnknown: name, isMigrated: isMigrated))
    }
    if !hasRows { return }
    if change.changesIdentity { throw refusal("has another id", migration(for: "id", nil)) }
    for source in change.sources { try checkType(source, hasRun: hasRun) }
    let missing = change.sources.filter { $0.found == nil && $0.mayLackValue }.map(\.column.name)
    if let first = missing.first {
      throw refusal(
        "has no column \(missing.map { "\"\($0)\"" }.joined(separator: ", and none named "))",
        "give the attribute a default, make it optional, or \(migration(for: first, nil))")
    }
    for source in change.sources {
      try checkValues(source)
      if source.mayLackValue { try checkPresence(source.column) }
    }
    for key in change.newKeys { try checkUnique(key) }
  }

  private func checkPresence(_ column: SQLColumn) throws {
    let found = try objects(where: "\(column.quotedName) IS NULL")
    if found.isEmpty { return }
    throw refusal(
      "has no value of \"\(column.name)\" in \(found.listedOrOthers), and its schema requires one",
      "give the attribute a default, leave it optional, or \(migration(for: column.name, nil))")
  }

  private func checkUnique(_ key: [Int]) throws {
    let entity = change.entity
    let columns = entity.sqlColumns(of: key).map(\.quotedName)
    let list = columns.joined(separator: ", ")
    let isSet = columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
    var values: [StoredValue] = []
    try rows(
      of: "SELECT \(list) FROM " + future
        + " WHERE \(isSet) GROUP BY \(list) HAVING COUNT(*) > 1 LIMIT 1"
    ) { value in values = columns.indices.map(value) }
    if values.isEmpty { return }
    let found = try objects(
      where: columns.map { "\($0) = ?" }.joined(separator: " AND "), values)
    let names = key.map { "\"\(entity.columns[$0].name)\"" }.joined(separator: " and ")
    let filled = key.filter { index in
      change.sources.contains { $0.isFilled && $0.attribute.name == entity.columns[index].name }
    }
    let isDefault = !filled.isEmpty
    throw refusal(
      "\(isDefault ? "would have" : "has") the same \(names) in \(found.listedOrOthers)"
        + "\(isDefault ? ", where its default is filled in," : ",") and its schema says that no two "
        + "objects have",
      (isDefault ? "leave the attribute optional and without a default, or " : "")
        + migration(
          for: entity.columns[filled.first ?? key[0]].name, "that gives each its own"))
  }

  /// Throws if a row refers to one that doesn't exist, by the references for which `isChecked` is
  /// true.
  package func checkReferences(
    where isChecked: (_ reference: Int) -> Bool = { _ in true }
  ) throws {
    let entity = change.entity
    for index in entity.checkedReferences where isChecked(index) {
      guard let target = entity.columns[index].reference?.target else { continue }
      let own = entity.sqlColumns(of: [index])
      let isSet = own.map { "child.\($0.quotedName) IS NOT NULL" }.joined(separator: " AND ")
      let isSame = zip(own, target.sqlColumns(of: [target.identity]))
        .map { "child.\($0.quotedName) = parent.\($1.quotedName)" }.joined(separator: " AND ")
      let id = entity.sqlColumns(of: [entity.identity]).map { "child.\($0.quotedName)" }
        .joined(separator: ", ")
      let found = try names(
        SQLTranslation.Piece(
          sql: "SELECT \(id) FROM \(entity.quotedName) AS child WHERE \(isSet) AND NOT EXISTS "
            + "(SELECT 1 FROM \(target.quotedName) AS parent WHERE \(isSame)) LIMIT 4"))
      if found.isEmpty { continue }
      throw StoreError.fault(
        .schemaMismatch,
        "\(place): \(found.listedOrOthers) \(found.count == 1 ? "refers" : "refer") by "
          + "\(entity.columns[index].name) to a \(target.name) that isn't there; make the reference "
          + "late-bound, or mend it in a migration")
    }
  }

  /// Returns the names of the first few objects that meet a condition.
  package func objects(
    where condition: String, _ values: [StoredValue] = []
  ) throws -> [String] {
    let id = change.entity.quotedColumns(of: [change.entity.identity])
    let rest = SQLTranslation.Piece(sql: " WHERE \(condition) LIMIT 4", values: values)
    return try names("SELECT \(id) FROM " + future + rest)
  }

  /// Returns the names of the objects whose ids a query finds.
  private func names(_ query: SQLTranslation.Piece) throws -> [String] {
    let entity = change.entity
    let shape = SQLRowShape([entity.columns[entity.identity]])
    var names: [String] = []
    try rows(of: query) {
      names.append(ObjectID(entityName: entity.name, id: shape.values($0)[0]).description)
    }
    return names
  }

  package func refusal(_ fault: String, _ remedy: String) -> StoreError {
    .fault(.schemaMismatch, "\(place): the table of \(change.entity.name) \(fault); \(remedy)")
  }
}
