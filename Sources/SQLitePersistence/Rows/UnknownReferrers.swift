internal import EntityStore

/// The tables of a file that refer to a store's objects and that the store was opened without.
///
/// Nobody judges their rules, so an object that one of their rows refers to can't be deleted. Which
/// there are may change while the file is open: another process may know more entities.
struct UnknownReferrers {
  /// A foreign key of such a table.
  private struct Reference {
    let table: String
    var columns: [String] = []
    /// The columns that it refers to; NULL stands for the id's.
    var targets: [String?] = []
  }

  /// The version of the file's schema that this was read from.
  let schema: Int64
  /// By the names of tables that are referred to, as SQLite compares them.
  private var references: [String: [Reference]] = [:]

  /// What stands in the file.
  init(_ connection: Connection, besides known: Set<EntityDescription>) throws {
    schema = try Self.schema(connection)
    let known = Set(known.map { SQLName.folded($0.name) })
    var last: (table: String, key: Int64, target: String)?
    try connection.query(
      """
      SELECT tables.name, keys.id, keys."table", keys."from", keys."to"
      FROM sqlite_master AS tables, pragma_foreign_key_list(tables.name) AS keys
      WHERE tables.type = 'table' ORDER BY tables.name, keys.id, keys.seq
      """
    ).run {
      let table = $0.value(0).description
      let target = SQLName.folded($0.value(2).description)
      if known.contains(SQLName.folded(table)) || !known.contains(target) { return }
      let key = (table: table, key: $0.integer(1), target: target)
      var found = references[target] ?? []
      if last.map({ $0 != key }) ?? true { found.append(Reference(table: table)) }
      last = key
      let name = $0.value(4)
      found[found.count - 1].columns.append($0.value(3).description)
      found[found.count - 1].targets.append(name.isNull ? nil : name.description)
      references[target] = found
    }
  }

  /// The version of the file's schema, which changes with its tables.
  static func schema(_ connection: Connection) throws -> Int64 {
    var schema: Int64 = 0
    try connection.query("PRAGMA schema_version").run { schema = $0.integer(0) }
    return schema
  }

  /// Throws if a row of such a table refers to an object that goes.
  func checkDeleting(_ row: EntityRow, _ connection: Connection) throws {
    let entity = row.entity
    guard let references = references[SQLName.folded(entity.name)] else { return }
    let identity = entity.sqlColumns(of: [entity.identity]).map(\.name)
    let id = entity.columns[entity.identity].sqlValues(row.id)
    for reference in references {
      // Compared with the row that the file has: a column may be none of the entity's.
      let pairs = zip(reference.columns, reference.targets).enumerated().map { place, pair in
        let target = pair.1 ?? identity[min(place, identity.count - 1)]
        return "referrer.\(SQLName.quoted(pair.0)) = known.\(SQLName.quoted(target))"
      }
      let condition = (identity.map { "known.\(SQLName.quoted($0)) = ?" } + pairs)
        .joined(separator: " AND ")
      var isFound = false
      try connection.query(
        "SELECT 1 FROM \(entity.quotedName) AS known, \(SQLName.quoted(reference.table)) AS referrer "
          + "WHERE \(condition) LIMIT 1"
      ).run(id) { _ in isFound = true }
      guard isFound else { continue }
      throw StoreError.storage(
        StorageFault(
          .schemaMismatch,
          "\(connection.path): \(row.objectID) can't be deleted: \(reference.table), which the store "
            + "was opened without, refers to it by \(reference.columns.joined(separator: ", ")); open "
            + "the store with that entity, too"))
    }
  }
}
