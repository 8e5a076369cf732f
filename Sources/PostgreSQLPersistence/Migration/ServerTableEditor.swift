#if PostgreSQL
@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

/// An editor of a schema's tables, inside a transaction that its caller opens and ends.
///
/// A table is changed in its place, so that it keeps its grants. Foreign keys are dropped before
/// rows change, and come back at the end: the server alters no table that has checks outstanding.
final class ServerTableEditor: MigrationTables {
  private static let batch = 2_000
  let connection: ServerConnection
  let reporter: MigrationReporter
  let reads = MigrationReads()
  /// A constraint that was dropped.
  struct Constraint {
    let name: String
    let definition: String
    /// The server's number of the table, and of the one to which a foreign key refers.
    let table: Int64
    let target: Int64
    /// The name of the latter in the definition.
    let targetName: String
  }

  /// The constraints that were dropped, or nil if none were.
  var kept: [Constraint]?
  /// The columns of other programs, by the names of their tables.
  var strange: [FoldedName: Set<FoldedName>] = [:]
  /// The tables that have been written to, or have a new name.
  private(set) var touched: Set<FoldedName> = []
  /// The tables of which a column has a new name.
  private(set) var altered: Set<FoldedName> = []
  private var isLocked = false
  var hasChanged = false

  init(_ connection: ServerConnection, _ reporter: MigrationReporter) {
    self.connection = connection
    self.reporter = reporter
  }

  var place: String { "\(connection.place)" }

  // MARK: Reading

  func shape(of entity: String) throws -> ServerShape? {
    try ServerShape.all(connection)[FoldedName(entity)]
  }

  func checkIsInTransaction() throws {
    if let fault = connection.transactionFault { throw fault }
    guard connection.isInTransaction else { throw connection.lostFault }
  }

  func tableNames() throws -> [String] { try ServerShape.all(connection).values.map(\.name) }

  func table(of entity: String) throws -> (name: String, columns: [String])? {
    try shape(of: entity).map { ($0.name, $0.columns.map(\.name)) }
  }

  func rowCount(of table: String) throws -> Int {
    Int(try connection.run("SELECT COUNT(*) FROM \(SQL.quoted(table))", []).integer(0, 0))
  }

  func forEachBatch(of table: String, _ body: ([Migration.Row]) throws -> Void) throws {
    guard let shape = try shape(of: table) else { return }
    let names = shape.columns.map(\.name)
    let absent = reads.record(of: table, columns: names)
    let list = names.map(SQL.quoted).joined(separator: ", ")
    connection.cursorCount += 1
    let cursor = "c\(connection.cursorCount)"
    defer { connection.cursorCount -= 1 }
    // The cursor sees the rows as they are now.
    try connection.execute(
      "DECLARE \(cursor) NO SCROLL CURSOR FOR SELECT \(list) FROM \(shape.quotedName)")
    // Without it, the server alters the table no more; a migration may continue after an error.
    defer { _ = try? connection.execute("CLOSE \(cursor)") }
    while true {
      let found = try connection.run("FETCH \(Self.batch) FROM \(cursor)", [])
      if found.rowCount == 0 { return }
      try body(
        (0..<found.rowCount).map { row in
          Migration.Row(
            names: names, values: names.indices.map { found.value(row, $0, keepsNaN: true) },
            absent: absent)
        })
    }
  }

  func checkIndexes(of table: String) throws {}

  // MARK: Rows

  /// Keeps readers out until the transaction ends, once, before the first change.
  ///
  /// It waits for the reads that have begun. A read that began before a change and read its table
  /// afterwards would find it empty.
  func lock() throws {
    if isLocked { return }
    isLocked = true
    try connection.execute("LOCK TABLE signalbox_metadata IN ACCESS EXCLUSIVE MODE")
  }

  func isReserved(_ table: String) -> Bool { ServerLayout.isReserved(table: table) }

  func target(_ table: String, of entity: String, columns: [String]) throws -> any MigrationTarget {
    touched.insert(FoldedName(table))
    try dropConstraints()
    return ServerTarget(
      connection, table: table, entity: entity, columns.isEmpty ? nil : try shape(of: table))
  }

  func replacement(of table: String) throws -> any MigrationTarget {
    if let name = strange[FoldedName(table)]?.map(\.text).min() {
      throw StoreError.fault(
        .schemaMismatch,
        "\(place): a migration rewrites \(table), which has a column \"\(name)\" of another program, whose values "
          + "would be lost; move that column to a table of its own first")
    }
    // The server alters no table that is being read.
    try dropConstraints()
    return ServerTarget(connection, table: Self.work(table), entity: table, nil)
  }

  private static func work(_ table: String) -> String {
    "signalbox_rewritten_\(ServerTable.sum(of: table))"
  }

  func replace(_ table: String, with target: any MigrationTarget) throws {
    guard let target = target as? ServerTarget, let shape = try shape(of: table) else { return }
    try dropConstraints()
    try noteIDs(of: shape)
    let name = shape.quotedName
    try connection.execute("DELETE FROM \(name)")
    if target.isEmpty { return }
    touched.insert(FoldedName(table))
    if let key = shape.identityName {
      try connection.execute("ALTER TABLE \(name) DROP CONSTRAINT \(SQL.quoted(key))")
    }
    // A column without a value keeps its type.
    let empty = Set(target.empty.map(FoldedName.init))
    for column in shape.columns {
      let folded = FoldedName(column.name)
      let new = target.columns[folded]
      if empty.contains(folded) || (new != nil && new?.type == column.type) {
        try connection.execute(
          "ALTER TABLE \(name) ALTER COLUMN \(SQL.quoted(column.name)) DROP NOT NULL")
      } else {
        try connection.execute("ALTER TABLE \(name) DROP COLUMN \(SQL.quoted(column.name))")
      }
    }
    let left = try self.shape(of: table)
    for one in target.columns.values where left?.column(one.name) == nil {
      try connection.execute(
        "ALTER TABLE \(name) ADD COLUMN \(SQL.quoted(one.name)) \(one.type.sql)")
    }
    for one in target.empty where left?.column(one) == nil {
      try connection.execute(
        "ALTER TABLE \(name) ADD COLUMN \(SQL.quoted(one)) \(ServerType.text.sql)")
    }
    let work = SQL.quoted(target.table)
    let from = target.columns.values.map { SQL.quoted($0.name) }
    let to = target.columns.values.map {
      SQL.quoted(left?.column($0.name)?.name ?? $0.name)
    }
    try connection.execute(
      from.isEmpty
        ? "INSERT INTO \(name) SELECT FROM \(work)"
        : "INSERT INTO \(name) (\(to.joined(separator: ", "))) SELECT \(from.joined(separator: ", ")) FROM \(work)"
    )
    try connection.execute("DROP TABLE \(work)")
  }

  func discard(_ target: any MigrationTarget) {
    guard let target = target as? ServerTarget, connection.transactionFault == nil else { return }
    _ = try? connection.execute("DROP TABLE IF EXISTS \(SQL.quoted(target.table))")
  }

  /// Notes the highest id of a table's rows, which are about to be deleted or replaced.
  private func noteIDs(of shape: ServerShape) throws {
    guard shape.identity.count == 1,
      let column = shape.columns.first(where: { shape.identity.contains(FoldedName($0.name)) }),
      column.type == .bigint
    else { return }
    let found = try connection.run(
      "SELECT COALESCE(MAX(\(SQL.quoted(column.name))), 0) FROM \(shape.quotedName)", [])
    let highest = found.integer(0, 0)
    if highest > 0 { try ServerRecord.note(highest, of: shape.name, connection) }
  }

  // MARK: Names

  func renameColumn(_ name: String, to new: String, of table: String) throws {
    if ServerLayout.isReserved(column: new) {
      throw StoreError.fault(
        .schemaMismatch,
        "\(place): a migration renames \(name) of \(table) to \(new), which is a reserved "
          + "name; give it another one")
    }
    try reporter.report("rename \(name) to \(new)", table)
    try lock()
    hasChanged = true
    altered.insert(FoldedName(table))
    strange[FoldedName(table)]?.remove(FoldedName(name))
    try moveNamesAside(of: table, for: name)
    try connection.execute(
      "ALTER TABLE \(SQL.quoted(table)) RENAME COLUMN \(SQL.quoted(name)) TO \(SQL.quoted(new))")
  }

  func renameTable(_ name: String, to new: String) throws {
    try reporter.report("rename to \(new)", name)
    try lock()
    hasChanged = true
    strange[FoldedName(new)] = strange.removeValue(forKey: FoldedName(name))
    try moveNamesAside(of: name, for: new)
    try moveNamesAside(ofReferencesTo: name, for: new)
    try connection.execute("ALTER TABLE \(SQL.quoted(name)) RENAME TO \(SQL.quoted(new))")
    try connection.execute("DROP TRIGGER IF EXISTS signalbox_note ON \(SQL.quoted(new))")
    try dropFunction(of: name)
    try ServerRecord.rename(name, to: new, connection)
    touched.insert(FoldedName(new))
    reads.rename(name, to: new)
  }

  /// Gives a table's keys and indexes other names.
  ///
  /// Their names are made of those of the table and its columns, which others may get. A key with
  /// another name is added again with the schema's, after its rows have been checked.
  private func moveNamesAside(of table: String, for new: String) throws {
    guard let shape = try shape(of: table) else { return }
    let foreign = try connection.run(
      "SELECT CAST(conname AS text) FROM pg_constraint WHERE contype = 'f' AND conrelid = CAST($1 AS regclass)",
      [.text(shape.quotedName)])
    let keys = Set((0..<foreign.rowCount).map { foreign.text($0, 0) })
    for (number, name) in shape.ownNames.sorted().enumerated() {
      let aside = "signalbox_r\(ServerTable.sum(of: "\(name) \(new) \(number)"))"
      try connection.execute(
        keys.contains(name)
          ? "ALTER TABLE \(shape.quotedName) RENAME CONSTRAINT \(SQL.quoted(name)) TO \(aside)"
          : "ALTER INDEX IF EXISTS \(SQL.quoted(name)) RENAME TO \(aside)")
    }
  }

  /// Does the same with the references to a table, which follow it to its new name.
  private func moveNamesAside(ofReferencesTo table: String, for new: String) throws {
    let found = try connection.run(
      """
      SELECT CAST(conname AS text), CAST(CAST(conrelid AS regclass) AS text) FROM pg_constraint
      WHERE contype = 'f' AND conparentid = 0 AND confrelid = CAST($1 AS regclass)
        AND left(conname, 10) = 'signalbox_'
      """, [.text(SQL.quoted(table))])
    for row in 0..<found.rowCount {
      let (name, owner) = (found.text(row, 0), found.text(row, 1))
      // The server has quoted the table's name.
      try connection.execute(
        "ALTER TABLE \(owner) RENAME CONSTRAINT \(SQL.quoted(name)) TO signalbox_r\(ServerTable.sum(of: "\(name) \(owner) \(new)"))"
      )
    }
  }

  func drop(_ table: String) throws {
    guard let shape = try shape(of: table) else { return }
    try reporter.report("drop", table)
    try dropConstraints()
    try noteIDs(of: shape)
    try connection.execute("DROP TABLE \(shape.quotedName)")
    try dropFunction(of: table)
    try ServerRecord.forget(table, connection)
    strange[FoldedName(table)] = nil
    reads.forget(table)
  }

  /// Drops the function of a table's triggers, which have been dropped.
  private func dropFunction(of table: String) throws {
    try connection.execute("DROP FUNCTION IF EXISTS signalbox_note_\(ServerTable.sum(of: table))()")
  }
}
#endif
