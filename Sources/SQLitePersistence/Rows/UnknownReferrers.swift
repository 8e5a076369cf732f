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
    /// Nil stands for a column of the id.
    var targets: [String?] = []

    /// Returns the reference with the columns of an id in place of nil, as far as there are some.
    func referring(to id: [String]) -> Reference {
      var reference = self
      reference.targets = targets.enumerated().map { $1 ?? ($0 < id.count ? id[$0] : id.last) }
      return reference
    }
  }

  /// The largest number of ids that are looked up together.
  private static let longestList = 512

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
    // The file's primary key may have another order than the schema's id.
    for (target, found) in references where found.contains(where: { $0.targets.contains(nil) }) {
      var key: [String] = []
      try connection.query("SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk")
        .run([.text(target)]) { key.append($0.value(0).description) }
      references[target] = found.map { $0.referring(to: key) }
    }
  }

  /// Throws if a row of such a table refers to one of some objects of an entity, which are deleted.
  ///
  /// A table without an index is scanned for each look-up. So many ids are looked up together.
  func checkDeleting(_ rows: [EntityRow], _ connection: Connection) throws {
    guard let entity = rows.first?.entity,
      let references = references[FoldedName.folded(entity.name)]
    else { return }
    // SQLite would read the whole table for a list of composite ids.
    let longest = entity.columns[entity.identity].type == .list ? 1 : Self.longestList
    var rest = rows[...]
    while !rest.isEmpty {
      var part = rest.prefix(longest)
      rest = rest.dropFirst(longest)
      if part.count > 1 {
        if try !isAnyReferredTo(part, references, connection) { continue }
        // The error names the first one.
        while part.count > 1 {
          let half = part.prefix(part.count / 2)
          let isInHalf = try isAnyReferredTo(half, references, connection)
          part = isInHalf ? half : part.dropFirst(half.count)
        }
      }
      if let row = part.first { try checkDeleting(row, references, connection) }
    }
  }

  private func checkDeleting(
    _ row: EntityRow, _ references: [Reference], _ connection: Connection
  ) throws {
    let entity = row.entity
    let identity = entity.sqlColumns(of: [entity.identity])
    let id = entity.columns[entity.identity].sqlValues(row.id)
    for reference in references {
      // The row in the file is compared, because a column may not belong to the entity.
      let pairs = zip(reference.columns, reference.targets.compactMap { $0 })
        .map { "referrer.\(SQL.quoted($0)) = known.\(SQL.quoted($1))" }
      let condition = (identity.map { "known.\($0.quotedName) = ?" } + pairs)
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

  /// Returns true if a row of such a table refers to one of some objects, whose ids have one part.
  private func isAnyReferredTo(
    _ rows: ArraySlice<EntityRow>, _ references: [Reference], _ connection: Connection
  ) throws -> Bool {
    guard let entity = rows.first?.entity else { return false }
    let ids = rows.map(\.id).padded()
    let list = Array(repeating: "?", count: ids.count).joined(separator: ", ")
    let identity = entity.quotedColumns(of: [entity.identity])
    return try references.contains { reference in
      let columns = reference.columns.map { "referrer.\(SQL.quoted($0))" }
      let targets = reference.targets.compactMap { $0 }.map { "known.\(SQL.quoted($0))" }
      // SQLite makes the list once. A join may take a step for each id and each row.
      return try connection.integer(
        "SELECT 1 FROM \(SQL.quoted(reference.table)) AS referrer "
          + "WHERE (\(columns.joined(separator: ", "))) IN "
          + "(SELECT \(targets.joined(separator: ", ")) FROM \(entity.quotedName) AS known "
          + "WHERE known.\(identity) IN (\(list))) LIMIT 1", ids) != nil
    }
  }
}
