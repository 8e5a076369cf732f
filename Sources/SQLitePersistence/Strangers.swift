internal import EntityStore

/// The tables of a file that refer to a store's objects and that the store was opened without.
///
/// Nobody judges their rules, so an object that one of their rows refers to can't be deleted. Which
/// there are may change while the file is open: another process may know more entities.
struct Strangers {
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
  init(_ connection: Connection) throws {
    schema = try Self.schema(connection)
    let known = Set(connection.known.map { $0.name.lowercased() })
    var last: (table: String, key: Int64, target: String)?
    try connection.query(
      """
      SELECT tables.name, keys.id, keys."table", keys."from", keys."to"
      FROM sqlite_master AS tables, pragma_foreign_key_list(tables.name) AS keys
      WHERE tables.type = 'table' ORDER BY tables.name, keys.id, keys.seq
      """
    ).run {
      let table = $0.value(0).description
      let target = $0.value(2).description.lowercased()
      if known.contains(table.lowercased()) || !known.contains(target) { return }
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
    guard let references = references[entity.name.lowercased()] else { return }
    let identity = entity.sqlColumns(of: [entity.identity]).map(\.name)
    let names = entity.sqlColumns.map { $0.name.lowercased() }
    let values = entity.sqlValues(row.values, of: Array(entity.columns.indices))
    for reference in references {
      let wanted = reference.targets.enumerated().map { place, target in
        let name = target ?? (place < identity.count ? identity[place] : "")
        return names.firstIndex(of: name.lowercased()).map { values[$0] } ?? .null
      }
      let condition = reference.columns.map { "\(SQLName.quoted($0)) = ?" }
        .joined(separator: " AND ")
      var isFound = false
      try connection.query(
        "SELECT 1 FROM \(SQLName.quoted(reference.table)) WHERE \(condition) LIMIT 1"
      ).run(wanted) { _ in isFound = true }
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
