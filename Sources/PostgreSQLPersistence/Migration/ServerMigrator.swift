#if PostgreSQL
@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

/// A migrator that brings the tables of a schema to the schemas with which a store is opened.
///
/// It works inside the transaction that opens the store, which holds the writers' lock. First it
/// runs the named migrations that haven't run. Then it compares the tables with the schemas. If
/// all fits, it only reads, so that the role needs no more rights than to write.
struct ServerMigrator: Migrating {
  let connection: ServerConnection
  let entities: [EntityDescription]
  let migrations: [Migration]
  let editor: ServerTableEditor
  var record: ServerRecord
  /// The schemas that the tables had before this opening.
  private let before: SchemaRecord
  var renamed: Set<FoldedName> = []
  var vacated: Set<FoldedName> = []
  var written = MigratedTables()

  init(
    _ connection: ServerConnection, _ entities: [EntityDescription], _ migrations: [Migration],
    _ reporter: MigrationReporter
  ) throws {
    self.connection = connection
    self.entities = entities
    self.migrations = migrations
    editor = ServerTableEditor(connection, reporter)
    record = try ServerRecord(connection)
    before = record.schemas
  }

  var names: ServerRecord { record }
  var schemas: SchemaRecord { record.schemas }

  /// Migrates the tables as far as necessary.
  ///
  /// - Parameter isNew: true if the schema has just been created, and needs no named migrations.
  /// - Returns: true if stores that are open must look at the tables again.
  /// - Throws: an error of a migration, and ``/EntityStore/StoreError/storage(_:)`` if the tables
  ///   don't fit, or if the role may not alter them.
  mutating func run(isNew: Bool) throws -> Bool {
    try schemas.checkMigrations(Migration.names(migrations), place: editor.place)
    let pending = migrations.filter { !schemas.migrations.contains(ExactText($0.name)) }
    let hasRun = !isNew && !pending.isEmpty
    if hasRun {
      try editor.lock()
      try watchTables()
    }
    for shape in try ServerShape.all(connection).values where shape.isOwn {
      editor.strange[FoldedName(shape.name)] = record.strangeColumns(of: shape)
    }
    for migration in pending {
      if !isNew { try run(migration) }
      try record.record(migration: migration.name)
    }
    if hasRun { try checkRequests() }
    try renameTables()
    let shapes = try ServerShape.all(connection)
    try renameColumns { shapes[FoldedName($0)] }
    let changes = try self.changes()
    for change in changes { try checkOwner(change) }
    if !hasRun { for change in changes { try checkAge(change) } }
    let needed = changes.filter { !$0.isEmpty }
    // An index is added beside reads.
    if needed.contains(where: { $0.found != nil && $0.changesTable }) { try editor.lock() }
    for change in needed { try apply(change, hasRun: hasRun) }
    try checkTouched()
    if hasRun || !needed.isEmpty { try addConstraints() }
    try editor.restoreConstraints(besides: entities)
    try editor.checkRows(of: entities, in: written)
    let described = try entities.filter {
      try record.record(ServerTable($0).description, of: $0.name)
    }
    // Triggers of other tables stay. To make them again would have reads wait, or be waited for.
    let renewed = changes.filter { change in
      // The parts of an id may have another order.
      editor.hasChanged || hasRun || change.found == nil || change.changesTable
        || described.contains(change.entity)
    }
    if renewed.contains(where: { $0.found != nil }) { try editor.lock() }
    for change in renewed { try createTriggers(of: change.entity) }
    try settleNames(hasRun: hasRun)
    let changesObjects =
      editor.hasChanged || hasRun || changes.contains { $0.found != nil && $0.changesColumns }
    if changesObjects { try writeVersion() }
    return changesObjects || !described.isEmpty
  }

  private func changes() throws -> [ServerTableChange] {
    let shapes = try ServerShape.all(connection)
    return entities.map { entity in
      let name = FoldedName(entity.name)
      // A table of another program may have a name that differs in case.
      let found = shapes[name].flatMap { shape in
        shape.isOwn || editor.touched.contains(name) || TextBytes.equal(shape.name, entity.name)
          ? shape : nil
      }
      // A column that a tool has added is left alone.
      return ServerTableChange(entity, from: found) { column in
        !(editor.strange[name]?.contains(FoldedName(column)) ?? false)
      }
    }
  }

  /// Throws if an entity's table is another program's.
  private func checkOwner(_ change: ServerTableChange) throws {
    let name = FoldedName(change.entity.name)
    if change.found != nil && !isKnown(name) { throw foreign(change.entity.name) }
  }

  /// Returns true if the record has a table, or this opening has made it.
  func isKnown(_ table: FoldedName) -> Bool {
    record.hasTable(table) || editor.touched.contains(table)
  }

  func foreign(_ table: String) -> StoreError {
    .fault(
      .foreign, "\(editor.place): it has a table \(table) of another program; use another schema",
      operation: connection.operation)
  }

  // MARK: Tables

  /// Throws if the change leads back to a schema that the table has had before.
  ///
  /// The table may fit that schema, too, if the parts of an id have another order.
  private func checkAge(_ change: ServerTableChange) throws {
    let name = FoldedName(change.entity.name)
    // The entity's table has just been given to another entity, so this entity is new.
    if vacated.contains(name) { return }
    try before.checkAge(change.table.description, of: change.entity.name, place: editor.place)
    if change.found == nil {
      try checkNotRenamed(change.entity) {
        try ServerShape.all(connection).filter(\.value.isOwn).mapValues(\.name)
      }
    }
  }

  private func apply(_ change: ServerTableChange, hasRun: Bool) throws {
    guard let shape = change.found else {
      for sql in [change.table.create] + change.table.indexes.map(\.sql) {
        try connection.execute(sql)
      }
      return
    }
    try ServerRowChecks(change: change, shape: shape, connection: connection).check(
      hasRows: try shape.hasRows(connection), isMigrated: hasRun, hasRun: hasRun)
    // A reference that gets its default would have a check outstanding.
    if change.sources.contains(where: { $0.isFilled && $0.attribute.reference != nil }) {
      try editor.dropConstraints()
    }
    let table = "ALTER TABLE \(shape.quotedName)"
    if change.changesTable {
      for name in change.obsolete.union(change.obsoleteIndexes).sorted() {
        try connection.execute("\(table) DROP CONSTRAINT IF EXISTS \(SQL.quoted(name))")
        try connection.execute("DROP INDEX IF EXISTS \(SQL.quoted(name))")
      }
    }
    if change.needsIdentity, let name = shape.identityName {
      try editor.dropConstraints()
      try connection.execute("\(table) DROP CONSTRAINT \(SQL.quoted(name))")
    }
    for name in change.dropped + change.unknown {
      try editor.reporter.report("drop \(name)", shape.name)
      try connection.execute("\(table) DROP COLUMN \(SQL.quoted(name))")
    }
    for source in change.sources { try apply(source, table, shape) }
    if change.needsRowNumber != shape.hasRowNumber {
      for sql in change.table.rowNumber { try connection.execute("\(table) ADD COLUMN \(sql)") }
      if shape.hasRowNumber {
        try connection.execute("\(table) DROP COLUMN \(PostgreSQLDialect.rowNumber)")
      }
    }
    if change.needsIdentity { try connection.execute("\(table) ADD \(change.table.primaryKey)") }
    for (_, sql) in change.missingIndexes {
      try editor.reporter.report("index", shape.name)
      try connection.execute(sql)
    }
  }

  private func apply(
    _ source: ServerTableChange.Source, _ table: String, _ shape: ServerShape
  ) throws {
    if source.isAsWanted { return }
    let name = source.column.quotedName
    if let found = source.found {
      if !TextBytes.equal(found.name, source.column.name) {
        try connection.execute("\(table) RENAME COLUMN \(SQL.quoted(found.name)) TO \(name)")
      }
      if source.isOfOtherType {
        let using = source.isWidened ? "CAST(\(name) AS double precision)" : "NULL"
        try connection.execute(
          "\(table) ALTER COLUMN \(name) TYPE \(source.type.sql) USING \(using)")
      } else if !found.isOfBytes {
        // A tool's text has the order of its database's locale.
        try connection.execute("\(table) ALTER COLUMN \(name) TYPE \(source.type.sql)")
      }
    } else {
      try editor.reporter.report("add \(source.column.name)", shape.name)
      try connection.execute("\(table) ADD COLUMN \(name) \(source.type.sql)")
    }
    if let fill = source.fill {
      try connection.run(
        "UPDATE \(shape.quotedName) SET \(name) = $1 WHERE \(name) IS NULL", [fill])
    }
    let isOptional = source.found.map(\.isOptional) ?? true
    if isOptional != source.column.isOptional {
      try connection.execute(
        "\(table) ALTER COLUMN \(name) \(source.column.isOptional ? "DROP" : "SET") NOT NULL")
    }
  }

  private func addConstraints() throws {
    for change in try changes() where !change.missingConstraints.isEmpty {
      guard let shape = change.found else { continue }
      let checks = ServerRowChecks(change: change, shape: shape, connection: connection)
      try checks.checkReferences()
      for constraint in change.missingConstraints { try connection.execute(constraint.sql) }
    }
  }

  private func createTriggers(of entity: EntityDescription) throws {
    for sql in ServerTriggers(connection.place).statements(of: entity) {
      try connection.execute(sql)
    }
  }

  /// Writes a version without content: the rows of earlier versions don't lead to what is there.
  private func writeVersion() throws {
    try connection.run(
      """
      INSERT INTO signalbox_log (version, token)
      SELECT COALESCE(MAX(version), 0) + 1, $1 FROM signalbox_log
      """, [.integer(.random(in: .min ... .max))])
  }
}
#endif
