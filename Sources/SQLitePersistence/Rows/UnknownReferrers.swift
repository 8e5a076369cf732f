@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

/// The tables of a file that refer to a store's objects and that the store was opened without.
///
/// The store doesn't know their rules. So an object to which one of their rows refers can't be
/// deleted. These tables may change while the file is open: another process may know more entities.
struct UnknownReferrers {
  /// A foreign key of such a table.
  private struct Reference {
    let table: String
    var columns: [String] = []
    /// The columns to which the key refers.
    ///
    /// NULL stands for a column of the id.
    var targets: [String?] = []
  }

  /// The version of the file's schema from which this was read.
  let schema: Int64
  /// The references by the names of the tables to which they refer, as SQLite compares them.
  private var references: [String: [Reference]] = [:]

  init(_ connection: Connection, besides known: Set<EntityDescription>) throws {
    schema = try connection.schemaVersion
    let known = Set(known.map { FoldedName.folded($0.name) })
    var last: (table: String, key: Int64, target: String)?
    try connection.query(
      """
      SELECT tables.name, keys.id, keys."table", keys."from", keys."to"
      FROM sqlite_master AS tables, pragma_foreign_key_list(tables.name) AS keys
      WHERE tables.type = 'table' ORDER BY tables.name, keys.id, keys.seq
      """
    ).run {
      let table = $0.value(0).description
      let target = FoldedName.folded($0.value(2).description)
      if known.contains(FoldedName.folded(table)) || !known.contains(target) { return }
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

  /// Throws if a row of such a table refers to an object that is deleted.
  func checkDeleting(_ row: EntityRow, _ connection: Connection) throws {
    let entity = row.entity
    guard let references = references[FoldedName.folded(entity.name)] else { return }
    let identity = entity.sqlColumns(of: [entity.identity]).map(\.name)
    let id = entity.columns[entity.identity].sqlValues(row.id)
    for reference in references {
      // The row in the file is compared, because a column may not belong to the entity.
      let pairs = zip(reference.columns, reference.targets).enumerated().map { place, pair in
        let target = pair.1 ?? identity[min(place, identity.count - 1)]
        return "referrer.\(SQL.quoted(pair.0)) = known.\(SQL.quoted(target))"
      }
      let condition = (identity.map { "known.\(SQL.quoted($0)) = ?" } + pairs)
        .joined(separator: " AND ")
      let found = try connection.integer(
        "SELECT 1 FROM \(entity.quotedName) AS known, \(SQL.quoted(reference.table)) AS referrer "
          + "WHERE \(condition) LIMIT 1", id)
      if found == nil { continue }
      throw StoreError.fault(
        .schemaMismatch,
        "\(connection.path): \(row.objectID) can't be deleted: \(reference.table), which the store "
          + "was opened without, refers to it by \(reference.columns.joined(separator: ", ")); open "
          + "the store with that entity, too")
    }
  }
}
