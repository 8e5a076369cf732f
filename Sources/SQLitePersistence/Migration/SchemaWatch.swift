@_spi(Storage) internal import SQLMapping
@_spi(Storage) internal import EntityStore

/// A watch that notices when another process has migrated a file under an open store.
///
/// SQLite prepares a statement again if the file's tables have changed since. So a statement that
/// reads nothing shows, at the cost of running it, whether there is anything to check.
final class SchemaWatch {
  /// The migrations and schemas with which a store has been opened.
  struct Expectation: Sendable {
    let migrations: Set<ExactText>
    /// The entities' names, and the descriptions of their tables.
    let tables: [(name: String, description: String)]
    /// The entities' unique keys, and the columns of their ids.
    let shapes: [TableShape]
    let entities: [EntityDescription]

    init(_ entities: [EntityDescription], _ migrations: [Migration]) {
      self.migrations = Migration.names(migrations)
      tables = entities.map { ($0.name, $0.tableDescription) }
      shapes = entities.map { TableShape($0) }
      self.entities = entities
    }
  }

  private unowned let connection: Connection
  private let expectation: Expectation
  private let probe: Statement
  private var seen: Int32?
  /// True if another program has created a unique index, or a table with another unique key.
  ///
  /// With such an index, `OR REPLACE` deletes rows that no trigger sees.
  private(set) var hasOthersKey = false
  /// A number that differs after each change of the file's tables, indexes and triggers, no matter
  /// who made it.
  ///
  /// Its lower part is SQLite's count of such changes. Its upper part is the number of tables,
  /// indexes, triggers and views.
  private(set) var layout: Int64 = 0

  init(_ connection: Connection, _ expectation: Expectation) throws {
    self.connection = connection
    self.expectation = expectation
    probe = try connection.statement("SELECT 1 FROM signalbox_schemas LIMIT 0")
  }

  /// Throws if the file isn't as the store was opened with any more.
  ///
  /// The result holds for the transaction that is open.
  func check() throws {
    try probe.run()
    let count = probe.timesPreparedAnew
    if count == seen { return }
    let schema = try FileSchema(connection)
    try schema.checkFormat(connection)
    let record = try SchemaRecord(connection)
    try record.checkMigrations(expectation.migrations, place: connection.path)
    for table in expectation.tables
    where record.current[FoldedName(table.name)] != ExactText(table.description) {
      throw StoreError.fault(
        .schemaMismatch,
        "\(connection.path): the table of \(table.name) has been migrated since the store was "
          + "opened, by a version of the app with another schema; open the store again, with the "
          + "newest version of the app")
    }
    let mayHaveKey = try checkTables(schema)
    // The library's unique keys are constraints, so mostly there is no unique index to check.
    let hasUniqueIndex = schema.objects.contains { $0.isUniqueIndex }
    hasOthersKey = try (mayHaveKey || hasUniqueIndex) && findOthersKey(schema)
    layout = try Self.layout(of: schema, changes: connection.schemaVersion)
    seen = count
  }

  private static func layout(of schema: FileSchema, changes: Int64) -> Int64 {
    // One change may create several of SQLite's own tables. `ANALYZE` creates this one.
    let count = schema.objects.count(where: {
      !$0.name.hasPrefix("sqlite_") || $0.name == "sqlite_stat1"
    })
    return Int64(Int32(clamping: count)) << 32 | Int64(UInt32(truncatingIfNeeded: changes))
  }

  /// Returns true if rows may have changed between two layouts without a trace in the change log.
  ///
  /// That takes a drop and a creation, of a table or of a trigger. So changes that have only
  /// created something don't count, and neither does a single other one, such as `VACUUM`.
  static func isMadeAgain(_ layout: Int64, since earlier: Int64) -> Bool {
    let changes = UInt32(truncatingIfNeeded: layout) &- UInt32(truncatingIfNeeded: earlier)
    return Int64(changes) - max(0, layout >> 32 - earlier >> 32) > 1
  }

  /// Throws if another program has changed a table so that it can't be read or written any more.
  ///
  /// - Returns: true if the text of a table may have another key than the entity.
  private func checkTables(_ schema: FileSchema) throws -> Bool {
    try schema.checkOwn()
    var mayHaveKey = false
    for (entity, shape) in zip(expectation.entities, expectation.shapes) {
      try schema.checkPlace(of: shape.name, connection)
      guard let object = schema.object(FoldedName(shape.name)) else {
        throw mismatch("there is no table \(shape.name) any more")
      }
      guard ChangeLogTriggers.areThere(for: entity, in: schema) else {
        throw mismatch(
          "the table \(shape.name) has no triggers any more by which the store learns what others write"
        )
      }
      var columns: [FoldedName: String] = [:]
      var identity: Set<FoldedName> = []
      // The positions of columns that a tool has added.
      var added: Set<Int> = []
      let known = shape.columnNames
      try connection.query("SELECT name, type, pk FROM pragma_table_info(?)")
        .run([.text(object.name)]) {
          let name = FoldedName($0.value(0).description)
          if !known.contains(name) { added.insert(columns.count) }
          columns[name] = $0.value(1).description
          if $0.integer(2) > 0 { identity.insert(name) }
        }
      for column in shape.columns where columns[FoldedName(column.name)] != column.type {
        throw mismatch(
          "the table \(shape.name) has no column \"\(column.name)\" of type \(column.type) any more"
        )
      }
      if identity != shape.identity { throw otherKey(of: shape) }
      // Rules at a column that a tool has added are the tool's own.
      if object.hasOtherRules(besidesColumns: added) {
        throw mismatch(
          "the table \(shape.name) has a CHECK, COLLATE or ON CONFLICT, which the schema hasn't")
      }
      mayHaveKey = mayHaveKey || object.mayHaveOtherKey(than: entity)
    }
    return mayHaveKey
  }

  /// Returns true if a table has a unique key or a unique index that the schema hasn't.
  ///
  /// - Throws: a mismatch if ids that are whole numbers aren't the numbers of the rows.
  private func findOthersKey(_ schema: FileSchema) throws -> Bool {
    var isFound = false
    for wanted in expectation.shapes {
      let found = try TableShape(reading: wanted.name, in: schema, connection)
      if found.oddKeys.contains(where: { $0.isSubset(of: wanted.columnNames) }) {
        throw otherKey(of: wanted)
      }
      isFound =
        isFound || found.otherUniqueKey(besides: wanted) != nil
        || !found.uniqueKeys.isSubset(of: wanted.uniqueKeys)
    }
    return isFound
  }

  private func otherKey(of shape: TableShape) -> StoreError {
    mismatch("the table \(shape.name) has another primary key than the schema")
  }

  private func mismatch(_ what: String) -> StoreError {
    .fault(
      .schemaMismatch,
      "\(connection.path): \(what), since another program has changed it while the store is open; put that "
        + "back with the sqlite3 shell, or close the store and open it again",
      path: connection.path)
  }
}

extension FileSchema.Object {
  /// Returns true if a table's text has another key than an entity, or may have one.
  ///
  /// The library writes no DESC. A whole number with it isn't the row's number.
  fileprivate func mayHaveOtherKey(than entity: EntityDescription) -> Bool {
    let keys = entity.uniqueKeys
    return words.contains("DESC") || words.words.count { $0 == "UNIQUE" } > keys.count
      || keys.contains { !sql.contains("UNIQUE (\(entity.quotedColumns(of: $0)))") }
  }
}
