internal import EntityStore
@_spi(Storage) internal import SQLMapping

/// An editor of a file's tables, inside a transaction that its caller opens and ends.
///
/// The file's foreign keys aren't enforced meanwhile. Triggers and indexes of other programs on a
/// table are restored at the end.
final class TableEditor {
  /// The definitions of the file's tables, and the names of the app's.
  private struct Definitions {
    /// The version of the file's schema at which they were read.
    let version: Int64
    let schema: FileSchema
    let names: [FoldedName: String]
  }

  static let batch = 2_000
  /// The largest number of views with which a file's tables and columns can be renamed.
  private static let mostViews = 200
  let connection: Connection
  let reporter: MigrationReporter
  private var kept: PreservedObjects
  private let names: RenameHistory
  let reads = MigrationReads()
  let willWrite: () throws -> Void
  /// The tables of entities that have been renamed, by their new names.
  private var renamed: Set<FoldedName> = []
  /// The definitions as they were last read, or nil.
  private var lastDefinitions: Definitions?

  /// Creates an editor that calls `willWrite` before a migration writes or deletes rows.
  init(
    _ connection: Connection, _ reporter: MigrationReporter,
    willWrite: @escaping () throws -> Void
  ) {
    self.connection = connection
    self.reporter = reporter
    self.willWrite = willWrite
    kept = PreservedObjects(connection)
    names = RenameHistory(connection)
  }

  /// Returns the table of an entity, or nil if the file has none.
  func shape(of entity: String) throws -> TableShape? {
    let definitions = try definitions()
    guard let name = definitions.names[FoldedName(entity)] else { return nil }
    return try TableShape(reading: name, in: definitions.schema, connection)
  }

  /// Returns the definitions, which are read again only after the file's schema has changed.
  private func definitions() throws -> Definitions {
    let version = try connection.schemaVersion
    if let lastDefinitions, lastDefinitions.version == version { return lastDefinitions }
    let definitions = Definitions(
      version: version, schema: try FileSchema(connection),
      names: try TableShape.names(connection))
    lastDefinitions = definitions
    return definitions
  }

  /// Returns true if the library has made a table, by the file's record.
  func isOwn(_ table: String) throws -> Bool {
    if renamed.contains(FoldedName(table)) { return true }
    let sql = "SELECT 1 FROM signalbox_schemas WHERE lower(entity) = lower(?) LIMIT 1"
    return try connection.integer(sql, [.text(table)]) != nil
  }

  // MARK: Triggers and indexes

  /// Throws if another program's index on a table may take any time for each row that is written.
  ///
  /// The tables of entities have been checked already. A migration may name any other table.
  func checkIndexes(of table: String) throws {
    try definitions().schema.checkIndexes(of: table)
  }

  /// Drops the library's triggers on a table, because they name its columns.
  ///
  /// They are created again when triggers are installed.
  func dropTriggers(of table: String) throws {
    for object in try TableObject.all(on: table, connection)
    where object.isOwn && object.kind == "trigger" { try object.drop(connection) }
  }

  func replace(_ table: String, with other: String) throws {
    try kept.keep(table)
    try connection.stepWatch.checkTrees()
    // Other tables and views must keep the names by which they refer to this one.
    try connection.execute("PRAGMA legacy_alter_table = ON")
    defer { try? connection.execute("PRAGMA legacy_alter_table = OFF") }
    try connection.execute("DROP TABLE \(SQL.quoted(table))")
    try connection.executeRename(
      "ALTER TABLE \(SQL.quoted(other)) RENAME TO \(SQL.quoted(table))")
  }

  /// Deletes a table with its triggers and indexes.
  func dropTable(_ table: String) throws {
    try willWrite()
    try reporter.report("drop", table)
    // `checkTrees()` doesn't check indexes that may take any time.
    try checkIndexes(of: table)
    try connection.stepWatch.checkTrees()
    try connection.execute("DROP TABLE \(SQL.quoted(table))")
    kept.forget(table)
    try names.forget(table)
    reads.forget(table)
  }

  /// Restores what other programs had on the tables that have been replaced.
  func restoreObjects() throws { try kept.restoreAll() }

  // MARK: Names

  /// The table's indexes are dropped, because their names contain its name.
  ///
  /// Comparing with the schema creates them again.
  func renameTable(_ name: String, to new: String) throws {
    try reporter.report("rename to \(new)", name)
    if try isOwn(name) { renamed.insert(FoldedName(new)) }
    for object in try TableObject.all(on: name, connection) where object.isOwn {
      try object.drop(connection)
    }
    try kept.restore(on: name)
    try kept.check(name)
    var last = name
    if FoldedName(name) == FoldedName(new) {
      // To SQLite, a name that differs only in case is taken, by the table itself.
      last = "signalbox_renamed"
      try renaming(name, "RENAME TO \(SQL.quoted(last))")
    }
    try renaming(last, "RENAME TO \(SQL.quoted(new))")
    try names.rename(name, to: new)
    try NotedIDs.rename(name, to: new, connection)
    reads.rename(name, to: new)
  }

  func renameColumn(_ name: String, to new: String, of table: String) throws {
    try reporter.report("rename \(name) to \(new)", table)
    try dropTriggers(of: table)
    try kept.restore(on: table)
    try renaming(table, "RENAME COLUMN \(SQL.quoted(name)) TO \(SQL.quoted(new))")
  }

  /// Renames something, together with everything that refers to it, including other programs'
  /// views.
  private func renaming(_ table: String, _ change: String) throws {
    // For that SQLite reads each view, and from there the views that it names, however deep they
    // lead.
    let views = try FileSchema(connection).objects.count { $0.kind == "view" }
    guard views <= Self.mostViews else {
      throw StoreError.fault(
        .schemaMismatch,
        "\(connection.path): \(table) can't be renamed, nor a column of it, while the file has \(views) views of "
          + "another program; drop all but \(Self.mostViews) with the sqlite3 shell and open the file again"
      )
    }
    try connection.execute("PRAGMA legacy_alter_table = OFF")
    do {
      try connection.executeRename("ALTER TABLE \(SQL.quoted(table)) \(change)")
    } catch StoreError.storage(let fault) where fault.code == 1 {
      // SQLite reads all views and triggers for that.
      throw StoreError.fault(
        .schemaMismatch,
        "\(connection.path): \(table) can't be renamed, nor a column of it, while a view or trigger of "
          + "another program names what isn't there (\(fault.detail ?? "")); drop that with the "
          + "sqlite3 shell and open the file again")
    }
  }

  // MARK: Rows

  /// Calls `body` with the rows of a table, some at a time.
  ///
  /// No statement is open meanwhile, so `body` may change other tables.
  func forEachBatch(
    of shape: TableShape, _ body: (_ rows: [Migration.Row]) throws -> Void
  ) throws {
    let names = shape.columns.map(\.name)
    let list = names.map(SQL.quoted).joined(separator: ", ")
    let absent = reads.record(of: shape.name, columns: names)
    func row(_ statement: Statement, from first: Int) -> Migration.Row {
      Migration.Row(
        names: names, values: names.indices.map { statement.value($0 + first) }, absent: absent)
    }
    guard let number = shape.rowNumberName else {
      var rows: [Migration.Row] = []
      try connection.query("SELECT \(list) FROM \(shape.quotedName)").run {
        rows.append(row($0, from: 0))
      }
      return try body(rows)
    }
    var last: Int64?
    while true {
      var rows: [Migration.Row] = []
      try connection.query(
        "SELECT \(number), \(list) FROM \(shape.quotedName) WHERE \(number) "
          + "\(last == nil ? ">=" : ">") ? ORDER BY \(number) LIMIT \(Self.batch)"
      ).run([.integer(last ?? .min)]) {
        let number = $0.integer(0)
        // SQLite doesn't check that row numbers increase. In a damaged table, this loop would never
        // end.
        if let last, number <= last {
          throw StoreError.fault(
            .corrupt,
            "\(connection.path): rows of \(shape.name) aren't in the order of their numbers; put back a copy",
            path: connection.path)
        }
        last = number
        rows.append(row($0, from: 1))
      }
      if rows.isEmpty { return }
      try body(rows)
      if rows.count < Self.batch { return }
    }
  }

  /// Copies the rows of a table into another one, whose columns get the values of expressions.
  func copyRows(
    of shape: TableShape, to table: String, _ columns: [(name: String, sql: String)],
    _ values: [StoredValue]
  ) throws {
    let total = try shape.rowCount(connection)
    let insert =
      "INSERT INTO \(SQL.quoted(table)) "
      + "(\(columns.map { SQL.quoted($0.name) }.joined(separator: ", "))) "
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
      // The table may have fewer rows than an index has entries.
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
