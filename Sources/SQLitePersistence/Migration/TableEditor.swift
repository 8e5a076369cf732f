internal import EntityStore

/// Changes the tables of a file, inside a transaction that somebody else opens and ends.
///
/// The file's foreign keys are not enforced meanwhile. What other programs have put on a table, triggers
/// and indexes, is put back at the end.
final class TableEditor {
  /// A trigger or an index of another program.
  private struct Kept {
    let kind: String
    let name: String
    let table: FoldedName
    let sql: String
    /// The columns of an index; one that is an expression has no name.
    let columns: [StoredValue]
  }

  static let batch = 2_000
  let connection: Connection
  let reporter: MigrationReporter
  private var kept: [Kept] = []

  init(_ connection: Connection, _ reporter: MigrationReporter) {
    self.connection = connection
    self.reporter = reporter
  }

  /// The table of an entity, or nil if the file has none.
  func shape(of entity: String) throws -> TableShape? {
    guard let name = try TableShape.names(connection)[FoldedName(entity)] else { return nil }
    return try TableShape(reading: name, connection)
  }

  // MARK: What stands on a table

  /// Drops the library's triggers on a table, which name its columns; whoever installs them does so anew.
  func dropTriggers(of table: String) throws {
    for object in try objects(on: table) where object.kind == "trigger" && object.isOwn {
      try connection.execute("DROP TRIGGER \(SQLName.quoted(object.name))")
    }
  }

  private struct Object {
    let kind: String
    let name: String
    let sql: String
    var isOwn: Bool { SQLName.folded(name).hasPrefix("signalbox_") }
  }

  private func objects(on table: String) throws -> [Object] {
    var objects: [Object] = []
    let wanted = FoldedName(table)
    // Those that SQLite makes by itself have no SQL.
    try connection.query(
      """
      SELECT type, name, sql, tbl_name FROM sqlite_master
      WHERE type IN ('trigger', 'index') AND sql IS NOT NULL
      """
    ).run {
      guard FoldedName($0.value(3).description) == wanted else { return }
      objects.append(
        Object(
          kind: $0.value(0).description, name: $0.value(1).description,
          sql: $0.value(2).description))
    }
    return objects
  }

  /// Puts another table in the place of one.
  func replace(_ table: String, with other: String) throws {
    for object in try objects(on: table) where !object.isOwn {
      kept.append(
        Kept(
          kind: object.kind, name: object.name, table: FoldedName(table), sql: object.sql,
          columns: try columns(of: object.name)))
    }
    // The names that other tables and views refer by are to stay as they are.
    try connection.execute("PRAGMA legacy_alter_table = ON")
    defer { try? connection.execute("PRAGMA legacy_alter_table = OFF") }
    try connection.execute("DROP TABLE \(SQLName.quoted(table))")
    try connection.execute(
      "ALTER TABLE \(SQLName.quoted(other)) RENAME TO \(SQLName.quoted(table))")
  }

  /// Puts back what other programs had on the tables that have been replaced.
  func restoreObjects() throws {
    let tables = try TableShape.names(connection)
    for object in kept where tables[object.table] != nil {
      let table = tables[object.table] ?? ""
      if try objects(on: table).contains(where: { $0.name == object.name }) { continue }
      // The name of a column that has gone is text to SQLite, where it is quoted.
      let isMade = (try? connection.execute(object.sql)) != nil
      if isMade, try columns(of: object.name) == object.columns { continue }
      throw StoreError.storage(
        StorageFault(
          .schemaMismatch,
          "\(connection.path): the \(object.kind) \"\(object.name)\" of another program doesn't fit the "
            + "table of \(table) any more; drop it with the sqlite3 shell and open the file again"))
    }
  }

  private func columns(of index: String) throws -> [StoredValue] {
    var columns: [StoredValue] = []
    try connection.query("SELECT name FROM pragma_index_info(?) ORDER BY seqno")
      .run([.text(index)]) { columns.append($0.value(0)) }
    return columns
  }

  // MARK: Names

  func renameTable(_ name: String, to new: String) throws {
    try reporter.report("rename to \(new)", name)
    try dropTriggers(of: name)
    try renaming {
      try connection.execute(
        "ALTER TABLE \(SQLName.quoted(name)) RENAME TO \(SQLName.quoted(new))")
    }
  }

  func renameColumn(_ name: String, to new: String, of table: String) throws {
    try reporter.report("rename \(name) to \(new)", table)
    try dropTriggers(of: table)
    try renaming {
      try connection.execute(
        "ALTER TABLE \(SQLName.quoted(table)) RENAME COLUMN \(SQLName.quoted(name)) "
          + "TO \(SQLName.quoted(new))")
    }
  }

  /// Renames so that what refers to the old name refers to the new one, views of other programs included.
  private func renaming(_ body: () throws -> Void) throws {
    try connection.execute("PRAGMA legacy_alter_table = OFF")
    try body()
  }

  // MARK: Rows

  /// Calls `body` with the rows of a table, some at a time, and with how many these are of how many.
  ///
  /// No statement is open meanwhile, so `body` may change other tables.
  func forEachBatch(
    of shape: TableShape, _ body: (_ rows: [MigrationRow]) throws -> Void
  ) throws {
    let names = shape.columns.map(\.name)
    let list = names.map(SQLName.quoted).joined(separator: ", ")
    func row(_ statement: Statement, from first: Int) -> MigrationRow {
      MigrationRow(names: names, values: names.indices.map { statement.value($0 + first) })
    }
    guard let number = shape.rowNumberName else {
      var rows: [MigrationRow] = []
      try connection.query("SELECT \(list) FROM \(shape.quotedName)").run {
        rows.append(row($0, from: 0))
      }
      return try body(rows)
    }
    var last: Int64?
    while true {
      var rows: [MigrationRow] = []
      try connection.query(
        "SELECT \(number), \(list) FROM \(shape.quotedName) WHERE \(number) "
          + "\(last == nil ? ">=" : ">") ? ORDER BY \(number) LIMIT \(Self.batch)"
      ).run([.integer(last ?? .min)]) {
        last = $0.integer(0)
        rows.append(row($0, from: 1))
      }
      if rows.isEmpty { return }
      try body(rows)
      if rows.count < Self.batch { return }
    }
  }

  /// Copies the rows of a table into another one, whose columns take the values of expressions.
  func copyRows(
    of shape: TableShape, to table: String, _ columns: [(name: String, sql: String)],
    _ values: [StoredValue]
  ) throws {
    let total = try shape.rowCount(connection)
    let insert =
      "INSERT INTO \(SQLName.quoted(table)) "
      + "(\(columns.map { SQLName.quoted($0.name) }.joined(separator: ", "))) "
      + "SELECT \(columns.map(\.sql).joined(separator: ", ")) FROM \(shape.quotedName)"
    try reporter.report("copy", shape.name, 0, of: total)
    if total == 0 { return }
    guard let number = shape.rowNumberName else {
      try connection.query(insert).run(values)
      return try reporter.report("copy", shape.name, total, of: total)
    }
    var completed = 0
    var last: Int64?
    while completed < total {
      let comparison = "\(number) \(last == nil ? ">=" : ">") ?"
      var end: Int64 = .max
      var count = 0
      try connection.query(
        "SELECT MAX(number), COUNT(*) FROM (SELECT \(number) AS number FROM \(shape.quotedName) "
          + "WHERE \(comparison) ORDER BY \(number) LIMIT \(Self.batch * 5))"
      ).run([.integer(last ?? .min)]) {
        end = $0.integer(0)
        count = Int($0.integer(1))
      }
      try connection.query("\(insert) WHERE \(comparison) AND \(number) <= ? ORDER BY \(number)")
        .run(values + [.integer(last ?? .min), .integer(end)])
      last = end
      completed += count
      try reporter.report("copy", shape.name, completed, of: total)
    }
  }
}
