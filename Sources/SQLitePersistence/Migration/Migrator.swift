internal import EntityStore

/// Brings a file to the schemas that a store is opened with, inside a transaction of the writing
/// connection.
///
/// First the named migrations run that the file doesn't know, then the tables are compared with the
/// schemas: names, then columns, rules and indexes. A file that fits is only read.
struct Migrator {
  private let connection: Connection
  private let entities: [EntityDescription]
  private let migrations: [Migration]
  private let editor: TableEditor
  private let copy: SafetyCopy
  private var hasCopy = false
  private var record: SchemaRecord
  /// Whether what the file's objects are has changed.
  private var hasChangedObjects = false
  /// The entities whose tables have other names now, or other columns' names.
  private var renamed: Set<FoldedName> = []
  private var loosened: Set<FoldedName> = []

  init(
    _ connection: Connection, _ entities: [EntityDescription], _ migrations: [Migration],
    _ reporter: MigrationReporter, _ copy: SafetyCopy
  ) throws {
    self.connection = connection
    self.entities = entities
    self.migrations = migrations
    self.copy = copy
    editor = TableEditor(connection, reporter)
    try SchemaRecord.create(connection)
    record = try SchemaRecord(connection)
  }

  /// Does what there is to do.
  ///
  /// A file that has just been made, `isNew`, needs no named migrations.
  mutating func run(isNew: Bool) throws {
    try record.checkMigrations(Set(migrations.map(\.name)), path: connection.path)
    let pending = migrations.filter { !record.migrations.contains($0.name) }
    for migration in pending {
      if !isNew { try run(migration) }
      try record.record(migration: migration.name, connection)
    }
    let hasRun = !isNew && !pending.isEmpty
    try renameTables()
    try renameColumns()
    let changes = try entities.map { entity in
      TableChange(entity, from: try editor.shape(of: entity.name))
    }
    if !hasRun { for change in changes { try checkAge(change) } }
    for change in changes { try apply(change) }
    try checkLoosened()
    for change in changes where hasRun || change.hasNewReferences {
      try checkReferences(of: change.entity)
    }
    try editor.restoreObjects()
    for entity in entities {
      try record.record(entity.tableDescription, of: entity.name, connection)
    }
    if hasChangedObjects { try writeVersion() }
  }

  // MARK: Named migrations

  private mutating func run(_ migration: Migration) throws {
    try keepCopy()
    editor.reporter.migration = migration.name
    defer { editor.reporter.migration = nil }
    let context = MigrationContext(editor)
    defer { context.end() }
    try migration.body(context)
    try editor.reporter.check()
    loosened.formUnion(context.loosened)
    for table in context.gone { try record.record(table.description, of: table.name, connection) }
    hasChangedObjects = true
  }

  /// Throws if a migration has rewritten a table whose schema nobody knows here.
  private func checkLoosened() throws {
    let known = Set(entities.map { FoldedName($0.name) })
    for (name, table) in try TableShape.names(connection).sorted(by: { $0.value < $1.value })
    where loosened.contains(name) && !known.contains(name) {
      throw mismatch(
        "a migration has rewritten \(table), which the store is opened without; open it with that "
          + "entity, too")
    }
  }

  // MARK: Names

  private mutating func renameTables() throws {
    let wanted = entities.map { Renames.Named(name: $0.name, formerNames: $0.formerNames) }
    for rename in Renames.plan(wanted, present: try TableShape.names(connection).values) {
      try editor.renameTable(rename.from, to: rename.to)
      try record.record("renamed to \(rename.to)", of: rename.from, connection)
      renamed.insert(FoldedName(rename.to))
      hasChangedObjects = true
    }
  }

  private mutating func renameColumns() throws {
    for entity in entities {
      guard let shape = try editor.shape(of: entity.name) else { continue }
      let wanted = entity.columns.flatMap { column in
        column.type == .list
          ? column.parts.map { part in
            // The parts of a reference begin with its name.
            let suffix = part.name.unicodeScalars.dropFirst(column.name.unicodeScalars.count)
            return Renames.Named(
              name: part.name, formerNames: column.formerNames.map { $0 + String(suffix) })
          } : [Renames.Named(name: column.name, formerNames: column.formerNames)]
      }
      for rename in Renames.plan(wanted, present: shape.columns.map(\.name)) {
        try editor.renameColumn(rename.from, to: rename.to, of: shape.name)
        renamed.insert(FoldedName(entity.name))
        hasChangedObjects = true
      }
    }
  }

  // MARK: Tables

  /// Throws if the change leads back to a schema that the file has had before.
  private func checkAge(_ change: TableChange) throws {
    let entity = change.entity
    let leadsBack =
      change.takesAway || change.form == .create || renamed.contains(FoldedName(entity.name))
      || change.sources.contains(where: \.mayLackValue)
    guard leadsBack, record.isSuperseded(entity) else { return }
    throw StoreError.storage(
      StorageFault(
        .newer,
        "\(connection.path): a later version of the app has migrated the table of \(entity.name); update "
          + "the app, or, where its schema goes back to an earlier one on purpose, add a migration to "
          + "the list, which may do nothing"))
  }

  private mutating func apply(_ change: TableChange) throws {
    let entity = change.entity
    if let name = change.otherUniqueKey {
      throw mismatch(
        "the table of \(entity.name) has the unique index \"\(name)\" of another program, which isn't "
          + "a key of its schema; drop it with the sqlite3 shell, or declare .unique")
    }
    switch change.form {
    case .none: break
    case .create: try connection.execute(TableSQL.create(entity))
    case .extend(let statements):
      try editor.dropTriggers(of: entity.name)
      for (statement, source) in zip(statements, change.sources.filter { $0.found == nil }) {
        try editor.reporter.report("add \(source.column.name)", entity.name)
        try connection.execute(statement)
      }
      hasChangedObjects = true
    case .rebuild: try rebuild(change)
    }
    for name in change.obsoleteIndexes {
      try connection.execute("DROP INDEX \(SQLName.quoted(name))")
    }
    for sql in change.newIndexes {
      if change.form != .create { try editor.reporter.report("index", entity.name) }
      try connection.execute(sql)
    }
  }

  private mutating func rebuild(_ change: TableChange) throws {
    let entity = change.entity
    guard let shape = try editor.shape(of: entity.name) else { return }
    try RowChecks(change, shape, connection).check()
    if try shape.hasRows(connection) {
      try keepCopy()
      hasChangedObjects = true
    }
    let work = "signalbox_rebuilt"
    try connection.execute(TableSQL.create(entity, named: work))
    let expressions = change.sources.map { ($0.column.name, $0.expression) }
    try editor.copyRows(
      of: shape, to: work, expressions.map { (name: $0.0, sql: $0.1.sql) },
      expressions.flatMap(\.1.values))
    try editor.dropTriggers(of: shape.name)
    try editor.replace(shape.name, with: work)
  }

  private func checkReferences(of entity: EntityDescription) throws {
    for index in entity.checkedReferences {
      guard let target = entity.columns[index].reference?.target else { continue }
      let columns = entity.sqlColumns(of: [index]).map { "child.\($0.quotedName)" }
      let ids = target.sqlColumns(of: [target.identity]).map { "parent.\($0.quotedName)" }
      let isSet = columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
      let isSame = zip(columns, ids).map { "\($0) = \($1)" }.joined(separator: " AND ")
      let shape = SQLRowShape([entity.columns[entity.identity]])
      var found: [String] = []
      try connection.query(
        "SELECT \(entity.sqlColumns(of: [entity.identity]).map { "child.\($0.quotedName)" }.joined(separator: ", ")) "
          + "FROM \(entity.quotedName) AS child WHERE \(isSet) AND NOT EXISTS "
          + "(SELECT 1 FROM \(target.quotedName) AS parent WHERE \(isSame)) LIMIT 4"
      ).run {
        found.append(ObjectID(entityName: entity.name, id: shape.values($0)[0]).description)
      }
      if found.isEmpty { continue }
      throw mismatch(
        "\(RowChecks.listed(found)) \(found.count == 1 ? "refers" : "refer") by "
          + "\(entity.columns[index].name) to a \(target.name) that isn't there; make the reference "
          + "late-bound, or mend it in a migration")
    }
  }

  // MARK: The file

  private mutating func keepCopy() throws {
    if hasCopy { return }
    hasCopy = true
    try copy.make()
  }

  /// Writes a version without changes: what the log says of versions before doesn't lead to what the file
  /// has now, so whoever knows one of those reads anew.
  private func writeVersion() throws {
    try connection.execute(
      """
      INSERT INTO signalbox_log (version) SELECT COALESCE(MAX(version), 0) + 1 FROM signalbox_log
      """)
    // A migration that has changed no table must be noticed by open stores, too.
    try connection.execute("CREATE TABLE signalbox_changed (migration INTEGER)")
    try connection.execute("DROP TABLE signalbox_changed")
  }

  private func mismatch(_ sentence: String) -> StoreError {
    .storage(StorageFault(.schemaMismatch, "\(connection.path): \(sentence)"))
  }
}
