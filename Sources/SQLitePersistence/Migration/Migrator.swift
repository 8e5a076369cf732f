@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

/// A migrator that brings a file to the schemas with which a store is opened.
///
/// It works inside a transaction of the writing connection. First it runs the named migrations that
/// the file doesn't have. Then it compares the tables with the schemas: names, then columns, rules
/// and indexes. A file that fits is only read.
struct Migrator: Migrating {
  let connection: Connection
  let entities: [EntityDescription]
  private let migrations: [Migration]
  let editor: TableEditor
  let names: RenameHistory
  private let copy: MigrationBackup
  var schemas: SchemaRecord
  private var hasChangedObjects = false
  var renamed: Set<FoldedName> = []
  var vacated: Set<FoldedName> = []
  var written = MigratedTables()

  init(
    _ connection: Connection, _ entities: [EntityDescription], _ migrations: [Migration],
    _ reporter: MigrationReporter, _ copy: MigrationBackup
  ) throws {
    self.connection = connection
    self.entities = entities
    self.migrations = migrations
    self.copy = copy
    editor = TableEditor(connection, reporter) { try copy.keep() }
    try SchemaRecord.create(connection)
    try RenameHistory.create(connection)
    names = RenameHistory(connection)
    schemas = try SchemaRecord(connection)
  }

  /// Migrates the file as far as necessary.
  ///
  /// A file that has just been created, `isNew`, needs no named migrations.
  mutating func run(isNew: Bool) throws {
    try schemas.checkMigrations(Migration.names(migrations), place: connection.path)
    try checkPlaces()
    let pending = migrations.filter { !schemas.migrations.contains(ExactText($0.name)) }
    if !isNew && !pending.isEmpty { try watchTables() }
    for migration in pending {
      if !isNew { try run(migration, check: copy.checkFailure) }
      try schemas.record(migration: migration.name, connection)
    }
    let hasRun = !isNew && !pending.isEmpty
    if hasRun { try checkRequests() }
    // A migration may have given another program's table to an entity.
    if hasRun { try checkPlaces() }
    try renameTables()
    try renameColumns(editor.shape(of:))
    let changes = try entities.map { try change(of: $0) }
    if !hasRun { for change in changes { try checkAge(change) } }
    // A tool may have exchanged two tables. An index then has a name that another table's gets.
    for change in changes { try dropObsoleteIndexes(of: change, hasRun: hasRun) }
    for change in changes { try apply(change, hasRun: hasRun) }
    try checkLoosened()
    for change in changes { try checkReferences(of: change) }
    try editor.checkRows(of: entities, in: written)
    if hasRun { try checkStrangers() }
    try editor.restoreObjects()
    // A commit that can be undone can be read only if the columns' names have the same letters.
    let hasOtherLetters = changes.contains { change in
      guard change.form == .none, let last = schemas.current[FoldedName(change.entity.name)] else {
        return false
      }
      return !change.entity.hasNames(in: last.text)
    }
    for entity in entities { try note(entity.tableDescription, of: entity.name) }
    try settleNames(hasRun: hasRun)
    // Commits that can be undone have values, and names, of the former entities.
    if hasRun || hasOtherLetters || !renamed.isEmpty
      || changes.contains(where: { $0.form != .none && $0.form != .create })
    {
      try connection.clearHistory()
    }
    if hasRun || hasChangedObjects || !renamed.isEmpty { try writeVersion() }
  }

  /// Throws if something other than a plain table has an entity's name, or if the table has an
  /// index that may take any time.
  private func checkPlaces() throws {
    let schema = try FileSchema(connection)
    for entity in entities {
      try schema.checkPlace(of: entity.name, connection)
      // A former name counts only if the entity has no table, and only if it is the name of a
      // table.
      if schema.object(FoldedName(entity.name)) != nil { continue }
      for name in entity.formerNames
      where schema.object(FoldedName(name))?.kind == "table" {
        try schema.checkPlace(of: name, connection)
      }
    }
  }

  // MARK: Named migrations

  /// Watches the tables that have had today's form since they were created.
  private func watchTables() throws {
    for entity in entities where schemas.hasAlwaysBeen(entity.tableDescription, of: entity.name) {
      guard let shape = try editor.shape(of: entity.name) else { continue }
      editor.reads.watch(entity.name, columns: shape.columns.map(\.name))
    }
  }

  /// Throws if a migration has rewritten a table whose schema isn't known to this store.
  private func checkLoosened() throws {
    let known = Set(entities.map { FoldedName($0.name) })
    for (name, table) in try TableShape.names(connection).sorted(by: { $0.value < $1.value })
    where written.loosened.contains(name) && !known.contains(name) {
      throw mismatch(
        "a migration has rewritten \(table), which the store is opened without; open it with that "
          + "entity, too, or drop the entity in a migration")
    }
  }

  // MARK: Tables

  private func change(of entity: EntityDescription) throws -> TableChange {
    var shape = try editor.shape(of: entity.name)
    let change = TableChange(entity, from: shape)
    guard change.reordersIdentity, try isReferredToByOrder(entity.name) else { return change }
    // The foreign key would refer to other columns in another order, so the order stays.
    shape?.key = TableShape(entity).key
    return TableChange(entity, from: shape)
  }

  /// Returns true if a foreign key of several columns refers to a table and names none of its
  /// columns.
  ///
  /// The library's own foreign keys name them.
  private func isReferredToByOrder(_ table: String) throws -> Bool {
    try connection.integer(
      """
      SELECT 1 FROM sqlite_master AS tables, pragma_foreign_key_list(tables.name) AS keys
      WHERE tables.type = 'table' AND lower(keys."table") = lower(?) AND keys."to" IS NULL
        AND keys.seq > 0 LIMIT 1
      """, [.text(table)]) != nil
  }

  /// Throws if the change leads back to a schema that the file has had before.
  ///
  /// The table may fit that schema, too, if only the letters of a name differ. The newer program
  /// couldn't use it any more.
  private func checkAge(_ change: TableChange) throws {
    let entity = change.entity
    // The entity's table has just been given to another entity, so this entity is new.
    if vacated.contains(FoldedName(entity.name)) { return }
    try schemas.checkAge(entity.tableDescription, of: entity.name, place: connection.path)
    if change.form == .create {
      try checkNotRenamed(entity) { try TableShape.names(connection) }
    }
  }

  private mutating func apply(_ change: TableChange, hasRun: Bool) throws {
    let entity = change.entity
    if let name = change.otherUniqueKey {
      throw mismatch(
        "the table of \(entity.name) has the unique index \"\(name)\" of another program, which isn't "
          + "a key of its schema; drop that index with the sqlite3 shell, or declare .unique")
    }
    switch change.form {
    case .none: break
    case .create:
      try checkNotMoved(entity)
      try connection.execute(TableSQL.create(entity))
    case .extend(let statements):
      // Later versions of SQLite look at all of the table's pages for that, however deep they lead.
      try TreeCheck(connection).check(entity.name)
      try editor.dropTriggers(of: entity.name)
      for (statement, source) in zip(statements, change.sources.filter { $0.found == nil }) {
        try editor.reporter.report("add \(source.column.name)", entity.name)
        try connection.execute(statement, readsTables: true)
        try correct(source, of: entity)
      }
      hasChangedObjects = true
    case .rebuild: try rebuild(change, hasRun: hasRun)
    }
    if change.form != .create && change.form != .rebuild && !change.newIndexes.isEmpty {
      try TreeCheck(connection).check(entity.name)
    }
    for index in TableSQL.indexes(of: entity) where change.newIndexes.contains(index.sql) {
      if change.form != .create {
        try editor.reporter.report("index", entity.name)
        try dropMoved(index.name)
      }
      try connection.execute(index.sql)
    }
  }

  /// Drops indexes of the library's that the schema doesn't have.
  ///
  /// An extension, or an older version of the app, may have fewer than the program that made them.
  /// So they stay until the table changes.
  private func dropObsoleteIndexes(of change: TableChange, hasRun: Bool) throws {
    let (entity, name) = (change.entity, FoldedName(change.entity.name))
    let isChanged =
      hasRun || change.form != .none || renamed.contains(name)
      || schemas.current[name] != ExactText(entity.tableDescription)
    let obsolete = isChanged ? change.obsoleteIndexes : change.strangeIndexes
    if !obsolete.isEmpty { try connection.stepWatch.checkTrees() }
    for name in obsolete {
      try connection.execute("DROP INDEX \(SQL.quoted(name))")
    }
  }

  /// Drops an index of the library's that a tool has taken along to another table.
  ///
  /// A tool does that if it renames an entity's table and creates another one in its place.
  private func dropMoved(_ index: String) throws {
    let isThere = try connection.integer(
      "SELECT 1 FROM sqlite_master WHERE type = 'index' AND lower(name) = lower(?)",
      [.text(index)])
    if isThere == nil { return }
    try connection.stepWatch.checkTrees()
    try connection.execute("DROP INDEX \(SQL.quoted(index))")
  }

  /// Throws if an entity's table is missing because a tool has renamed it.
  ///
  /// The entity would have no objects. The table may have had one of its former names.
  private func checkNotMoved(_ entity: EntityDescription) throws {
    for name in [entity.name] + entity.formerNames {
      guard let table = try ChangeLogTriggers.place(of: name, connection),
        FoldedName(table) != FoldedName(name)
      else { continue }
      throw mismatch(
        "another program has renamed the table of \(name) to \(table); rename it back with the "
          + "sqlite3 shell, or drop it, and open the file again")
    }
  }

  /// Corrects a new column's value in the rows, so that it is exact to the last bit.
  ///
  /// SQLite doesn't read all digits of a number.
  private func correct(_ source: TableChange.Source, of entity: EntityDescription) throws {
    guard let fill = source.fill, case .real = fill else { return }
    let (name, table) = (source.column.quotedName, entity.quotedName)
    // All rows have the same value.
    let isOther = try connection.integer("SELECT \(name) IS NOT ? FROM \(table) LIMIT 1", [fill])
    guard isOther == 1 else { return }
    try copy.keep()
    try connection.query("UPDATE \(table) SET \(name) = ?").run([fill])
  }

  private mutating func rebuild(_ change: TableChange, hasRun: Bool) throws {
    let entity = change.entity
    guard let shape = try editor.shape(of: entity.name) else { return }
    // SQLite sorts and writes everything that the tree contains, and that of a crafted file may
    // contain any amount.
    try TreeCheck(connection).check(entity.name)
    let hasRows = try shape.hasRows(connection)
    try RowChecks(change: change, shape: shape, connection: connection).check(
      hasRows: hasRows, isMigrated: written.hasWritten(to: entity.name), hasRun: hasRun)
    if hasRows {
      try copy.keep()
      hasChangedObjects = true
    }
    let work = "signalbox_rebuilt"
    let keepsOrder = try shape.key.count > 1 && isReferredToByOrder(entity.name)
    try connection.execute(
      TableSQL.create(entity, named: work, key: keepsOrder ? shape.key : nil))
    let expressions = change.sources.map { ($0.column.name, $0.expression) }
    try editor.copyRows(
      of: shape, to: work, expressions.map { (name: $0.0, sql: $0.1.sql) },
      expressions.flatMap(\.1.values))
    try editor.dropTriggers(of: shape.name)
    try editor.replace(shape.name, with: work)
  }

  // MARK: The file

  /// Writes a version without content.
  ///
  /// The change log's rows of earlier versions don't lead to what the file has now.
  private func writeVersion() throws {
    try ChangeLog.appendUnknown(connection)
    // Open stores must also notice a migration that has changed no table.
    try connection.execute("CREATE TABLE signalbox_changed (migration INTEGER)")
    try connection.execute("DROP TABLE signalbox_changed")
  }
}
