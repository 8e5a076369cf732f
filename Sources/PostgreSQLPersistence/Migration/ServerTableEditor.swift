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
  private struct Constraint {
    /// The server's number of the table.
    let table: Int64
    let name: String
    let definition: String
  }

  /// The constraints that were dropped, or nil if none were.
  private var kept: [Constraint]?
  /// The tables whose columns a migration has changed.
  private(set) var touched: Set<FoldedName> = []
  /// True if something has changed.
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

  func forEachBatch(of table: String, _ body: ([MigrationRow]) throws -> Void) throws {
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
          MigrationRow(
            names: names, values: names.indices.map { found.value(row, $0) }, absent: absent)
        })
    }
  }

  func checkIndexes(of table: String) throws {}

  // MARK: Rows

  /// Drops the foreign keys and the deferred unique keys, once, before rows are written.
  func dropConstraints() throws {
    if kept != nil { return }
    hasChanged = true
    let found = try connection.run(
      """
      SELECT CAST(conrelid AS bigint), CAST(conname AS text), pg_get_constraintdef(pg_constraint.oid),
        CAST(relname AS text)
      FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
      WHERE connamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1)
        AND (contype = 'f' OR (contype = 'u' AND condeferrable))
      """, [.text(connection.place.schema)])
    kept = (0..<found.rowCount).map {
      Constraint(
        table: found.integer($0, 0), name: found.text($0, 1), definition: found.text($0, 2))
    }
    for row in 0..<found.rowCount {
      try connection.execute(
        "ALTER TABLE \(SQL.quoted(found.text(row, 3))) DROP CONSTRAINT \(SQL.quoted(found.text(row, 1)))"
      )
    }
  }

  /// Adds again what was dropped of others, and of entities that the store is opened without.
  func restoreConstraints(besides entities: [EntityDescription]) throws {
    let known = Set(entities.map { FoldedName($0.name) })
    for constraint in kept ?? [] {
      let table = try connection.run(
        "SELECT CAST(relname AS text) FROM pg_class WHERE oid = CAST($1 AS oid)",
        [.integer(constraint.table)])
      guard table.rowCount == 1 else { continue }
      let name = table.text(0, 0)
      if known.contains(FoldedName(name)), constraint.name.hasPrefix("signalbox_") { continue }
      try connection.execute(
        "ALTER TABLE \(SQL.quoted(name)) ADD CONSTRAINT \(SQL.quoted(constraint.name)) \(constraint.definition)"
      )
    }
  }

  func target(_ table: String, of entity: String, columns: [String]) throws -> any MigrationTarget {
    touched.insert(FoldedName(table))
    try dropConstraints()
    return ServerTarget(
      connection, table: table, entity: entity, columns.isEmpty ? nil : try shape(of: table))
  }

  func replacement(of table: String) -> any MigrationTarget {
    ServerTarget(connection, table: Self.work(table), entity: table, nil)
  }

  private static func work(_ table: String) -> String {
    "signalbox_rewritten_\(ServerTable.sum(of: table))"
  }

  func replace(_ table: String, with target: any MigrationTarget) throws {
    guard let target = target as? ServerTarget, let shape = try shape(of: table) else { return }
    touched.insert(FoldedName(table))
    try dropConstraints()
    try noteIDs(of: shape)
    let name = shape.quotedName
    for trigger in ["signalbox_note", "signalbox_note_bulk", "signalbox_note_truncate"] {
      try connection.execute("DROP TRIGGER IF EXISTS \(trigger) ON \(name)")
    }
    try connection.execute("DELETE FROM \(name)")
    if target.isEmpty { return }
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
    try reporter.report("rename \(name) to \(new)", table)
    hasChanged = true
    touched.insert(FoldedName(table))
    try connection.execute(
      "ALTER TABLE \(SQL.quoted(table)) RENAME COLUMN \(SQL.quoted(name)) TO \(SQL.quoted(new))")
  }

  func renameTable(_ name: String, to new: String) throws {
    try reporter.report("rename to \(new)", name)
    hasChanged = true
    // The names of its indexes are made of its name, which another table may get.
    for (number, index) in (try shape(of: name)?.ownNames ?? []).sorted().enumerated() {
      try connection.execute(
        "ALTER INDEX IF EXISTS \(index) RENAME TO signalbox_r\(ServerTable.sum(of: "\(index) \(new) \(number)"))"
      )
    }
    try connection.execute("ALTER TABLE \(SQL.quoted(name)) RENAME TO \(SQL.quoted(new))")
    try connection.execute("DROP TRIGGER IF EXISTS signalbox_note ON \(SQL.quoted(new))")
    try dropFunction(of: name)
    try ServerRecord.rename(name, to: new, connection)
    touched.insert(FoldedName(new))
    for name in [name, new] { reads.forget(name) }
  }

  func drop(_ table: String) throws {
    guard let shape = try shape(of: table) else { return }
    try reporter.report("drop", table)
    try dropConstraints()
    try noteIDs(of: shape)
    try connection.execute("DROP TABLE \(shape.quotedName)")
    try dropFunction(of: table)
    try ServerRecord.forget(table, connection)
    reads.forget(table)
  }

  /// Drops the function of a table's triggers, which have been dropped.
  private func dropFunction(of table: String) throws {
    try connection.execute("DROP FUNCTION IF EXISTS signalbox_note_\(ServerTable.sum(of: table))()")
  }
}
#endif
