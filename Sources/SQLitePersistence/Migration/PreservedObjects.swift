internal import EntityStore

/// The triggers and indexes of other programs on tables that are replaced, until they are restored.
struct PreservedObjects {
  private struct Kept {
    let object: TableObject
    let table: FoldedName
    /// The columns of an index, or none of a trigger.
    ///
    /// A column that is an expression has no name.
    let columns: [StoredValue]
    /// The columns that the table had.
    let tableColumns: Set<FoldedName>
  }

  private let connection: Connection
  private var kept: [Kept] = []

  init(_ connection: Connection) { self.connection = connection }

  /// Notes the triggers and indexes on a table that is about to be deleted.
  mutating func keep(_ table: String) throws {
    let tableColumns = try columns(ofTable: table)
    for object in try TableObject.all(on: table, connection) where !object.isOwn {
      kept.append(
        Kept(
          object: object, table: FoldedName(table), columns: try columns(of: object),
          tableColumns: tableColumns))
    }
  }

  /// Forgets the triggers and indexes of a table that is deleted for good.
  mutating func forget(_ table: String) {
    let name = FoldedName(table)
    kept.removeAll { $0.table == name }
  }

  /// Restores what fits a table that is about to be renamed, or to have a column renamed.
  ///
  /// SQLite changes the names in existing triggers and indexes, and nowhere else. Triggers on other
  /// tables may name this table, too, so they are restored as well.
  mutating func restore(on table: String) throws {
    let name = FoldedName(table)
    let tables = try TableShape.names(connection)
    kept = try kept.filter { one in
      guard one.table == name || one.object.kind == "trigger", let place = tables[one.table]
      else { return true }
      return try !isRestored(one, place)
    }
  }

  /// Throws if something on a table hasn't been restored.
  func check(_ table: String) throws {
    let name = FoldedName(table)
    if let first = kept.first(where: { $0.table == name }) { throw refusal(first, table) }
  }

  /// Restores the rest, once all tables have their final form.
  mutating func restoreAll() throws {
    let tables = try TableShape.names(connection)
    for one in kept {
      guard let table = tables[one.table] else { continue }
      guard try isRestored(one, table) else { throw refusal(one, table) }
    }
    kept = []
  }

  private func isRestored(_ one: Kept, _ table: String) throws -> Bool {
    let name = FoldedName(one.object.name)
    // A trigger and an index may have the same name.
    func found() throws -> TableObject? {
      try TableObject.all(on: table, connection).first {
        FoldedName($0.name) == name && $0.kind == one.object.kind
      }
    }
    if try found() != nil { return true }
    do {
      if try mayNameLostColumn(one, table) {
        try connection.executeObject(one.object.sql)
      } else {
        try connection.withQuotedTexts { try connection.executeObject(one.object.sql) }
      }
    } catch {
      // A failed read undoes the migration. Each further statement would be a separate transaction.
      try connection.checkIsInTransaction()
      return false
    }
    // The SQL may create something other than its name in the file states.
    guard let made = try found() else { return false }
    if try columns(of: made) == one.columns { return true }
    try made.drop(connection)
    return false
  }

  /// Returns true if something in double quotes may be a column that the table has lost.
  ///
  /// SQLite would read the column's name as a text.
  private func mayNameLostColumn(_ one: Kept, _ table: String) throws -> Bool {
    let lost = one.tableColumns.subtracting(try columns(ofTable: table))
    if lost.isEmpty { return false }
    let sql = FoldedName.folded(one.object.sql)
    return lost.contains { sql.contains(SQL.quoted($0.text)) }
  }

  private func columns(ofTable table: String) throws -> Set<FoldedName> {
    let sql = "SELECT name FROM pragma_table_info(?)"
    return Set(try connection.texts(sql, [.text(table)]).map(FoldedName.init))
  }

  private func columns(of object: TableObject) throws -> [StoredValue] {
    var columns: [StoredValue] = []
    guard object.kind == "index" else { return columns }
    try connection.query("SELECT name FROM pragma_index_info(?) ORDER BY seqno")
      .run([.text(object.name)]) { columns.append($0.value(0)) }
    return columns
  }

  private func refusal(_ one: Kept, _ table: String) -> StoreError {
    .fault(
      .schemaMismatch,
      "\(connection.path): the \(one.object.kind) \"\(one.object.name)\" of another program doesn't "
        + "fit the table of \(table) any more; drop that \(one.object.kind) with the sqlite3 shell and open "
        + "the file again")
  }
}
