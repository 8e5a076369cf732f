internal import EntityStore

/// Changes the tables of a file, inside a transaction that somebody else opens and ends.
///
/// The file's foreign keys are not enforced meanwhile. What other programs have put on a table, triggers
/// and indexes, is put back at the end.
final class TableEditor {
  static let batch = 2_000
  /// How many views a file may have in which something is renamed.
  private static let mostViews = 200
  let connection: Connection
  let reporter: MigrationReporter
  private var kept: PreservedObjects
  private let names: RenameHistory
  /// Tables that have had today's form since they were made, and what their rows were asked for.
  var watched: [FoldedName: AbsentColumns] = [:]
  /// What the rows of other tables were asked for, since the running migration began.
  var asked: [FoldedName: AbsentColumns] = [:]

  init(_ connection: Connection, _ reporter: MigrationReporter) {
    self.connection = connection
    self.reporter = reporter
    kept = PreservedObjects(connection)
    names = RenameHistory(connection)
  }

  /// The table of an entity, or nil if the file has none.
  func shape(of entity: String) throws -> TableShape? {
    guard let name = try TableShape.names(connection)[FoldedName(entity)] else { return nil }
    return try TableShape(reading: name, connection)
  }

  // MARK: What stands on a table

  /// Throws if another program's index on a table may take any time for each row that is written.
  ///
  /// The tables of entities have been looked at; a migration may name any other one.
  func checkIndexes(of table: String) throws {
    try FileSchema(connection).checkIndexes(of: table)
  }

  /// Drops the library's triggers on a table, which name its columns; whoever installs them does so anew.
  func dropTriggers(of table: String) throws {
    for object in try TableObject.all(on: table, connection)
    where object.isOwn && object.kind == "trigger" { try object.drop(connection) }
  }

  /// Puts another table in the place of one.
  func replace(_ table: String, with other: String) throws {
    try kept.keep(table)
    try connection.stepWatch.checkTrees()
    // The names that other tables and views refer by are to stay as they are.
    try connection.execute("PRAGMA legacy_alter_table = ON")
    defer { try? connection.execute("PRAGMA legacy_alter_table = OFF") }
    try connection.execute("DROP TABLE \(SQLName.quoted(table))")
    try connection.executeRename(
      "ALTER TABLE \(SQLName.quoted(other)) RENAME TO \(SQLName.quoted(table))")
  }

  /// Deletes a table and all that stands on it.
  func drop(_ table: String) throws {
    try reporter.report("drop", table)
    // Those aren't looked at in `checkTrees()`.
    try checkIndexes(of: table)
    try connection.stepWatch.checkTrees()
    try connection.execute("DROP TABLE \(SQLName.quoted(table))")
    kept.forget(table)
    try names.forget(table)
    watched[FoldedName(table)] = nil
  }

  /// Puts back what other programs had on the tables that have been replaced.
  func restoreObjects() throws { try kept.restoreAll() }

  // MARK: Names

  /// Renames a table.
  ///
  /// Its indexes, whose names have the table's in them, go; comparing with the schema makes them anew.
  func renameTable(_ name: String, to new: String) throws {
    try reporter.report("rename to \(new)", name)
    for object in try TableObject.all(on: name, connection) where object.isOwn {
      try object.drop(connection)
    }
    try kept.restore(on: name)
    try kept.check(name)
    var last = name
    if FoldedName(name) == FoldedName(new) {
      // To SQLite a name in other letters is taken, by the table itself.
      last = "signalbox_renamed"
      try renaming(name, "RENAME TO \(SQLName.quoted(last))")
    }
    try renaming(last, "RENAME TO \(SQLName.quoted(new))")
    try names.rename(name, to: new)
    try LastIDs.rename(name, to: new, connection)
    for name in [name, new] { watched[FoldedName(name)] = nil }
  }

  func renameColumn(_ name: String, to new: String, of table: String) throws {
    try reporter.report("rename \(name) to \(new)", table)
    try dropTriggers(of: table)
    try kept.restore(on: table)
    try renaming(table, "RENAME COLUMN \(SQLName.quoted(name)) TO \(SQLName.quoted(new))")
  }

  /// Renames so that what refers to the old name refers to the new one, views of other programs included.
  private func renaming(_ table: String, _ change: String) throws {
    // SQLite goes into each view for that, and from there into those that it names, as deep as they lead.
    let views = try FileSchema(connection).objects.count { $0.kind == "view" }
    guard views <= Self.mostViews else {
      throw StoreError.storage(
        StorageFault(
          .schemaMismatch,
          "\(connection.path): \(table) can't be renamed, nor a column of it, while the file has \(views) views of "
            + "another program; drop all but \(Self.mostViews) with the sqlite3 shell and open the file again"
        ))
    }
    try connection.execute("PRAGMA legacy_alter_table = OFF")
    do {
      try connection.executeRename("ALTER TABLE \(SQLName.quoted(table)) \(change)")
    } catch StoreError.storage(let fault) where fault.code == 1 {
      // SQLite reads all views and triggers for that.
      throw StoreError.storage(
        StorageFault(
          .schemaMismatch,
          "\(connection.path): \(table) can't be renamed, nor a column of it, while a view or trigger of "
            + "another program names what isn't there (\(fault.detail ?? "")); drop that with the "
            + "sqlite3 shell and open the file again"))
    }
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
    let name = FoldedName(shape.name)
    let absent = watched[name] ?? asked[name] ?? AbsentColumns(of: names)
    if watched[name] == nil { asked[name] = absent }
    func row(_ statement: Statement, from first: Int) -> MigrationRow {
      MigrationRow(
        names: names, values: names.indices.map { statement.value($0 + first) }, absent: absent)
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
        let number = $0.integer(0)
        // SQLite doesn't look whether row numbers grow, and with a damaged one this would go round for ever.
        if let last, number <= last {
          throw StoreError.storage(
            StorageFault(
              .corrupt,
              "\(connection.path): rows of \(shape.name) aren't in the order of their numbers; put back a copy",
              path: connection.path))
        }
        last = number
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
        count = Int(clamping: $0.integer(1))
      }
      // There may be fewer than an index has.
      if count == 0 { break }
      try connection.query("\(insert) WHERE \(comparison) AND \(number) <= ? ORDER BY \(number)")
        .run(values + [.integer(last ?? .min), .integer(end)])
      last = end
      completed += count
      try reporter.report("copy", shape.name, min(completed, total), of: total)
    }
    if completed < total { try reporter.report("copy", shape.name, total, of: total) }
  }
}
