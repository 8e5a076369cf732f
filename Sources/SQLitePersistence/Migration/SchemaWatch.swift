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
  /// True if another program has created a unique index.
  ///
  /// With such an index, `OR REPLACE` deletes rows that no trigger sees.
  private(set) var hasOthersKey = false
  /// A number that differs after each change of the file's tables, indexes and triggers, no matter
  /// who made it.
  ///
  /// Its lower part is SQLite's count of such changes. Its upper part stands for the positions of
  /// the entities' tables.
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
    let record = try SchemaRecord(connection)
    try record.checkMigrations(expectation.migrations, place: connection.path)
    for table in expectation.tables
    where record.current[FoldedName(table.name)] != ExactText(table.description) {
      throw StoreError.storage(
        StorageFault(
          .schemaMismatch,
          "\(connection.path): the table of \(table.name) has been migrated since the store was "
            + "opened, by a version of the app with another schema; open the store again, with the "
            + "newest version of the app"))
    }
    let schema = try FileSchema(connection)
    try checkTables(schema)
    // The library's unique keys are constraints, so mostly there is no unique index to check.
    let hasUniqueIndex = schema.objects.contains { $0.isUniqueIndex }
    hasOthersKey =
      try hasUniqueIndex
      && expectation.shapes.contains { wanted in
        let found = try TableShape(reading: wanted.name, connection)
        return found.otherUniqueKey(besides: wanted) != nil
      }
    layout = try readLayout()
    seen = count
  }

  private func readLayout() throws -> Int64 {
    let names = Set(expectation.entities.map { FoldedName($0.name) })
    var places: UInt32 = 2_166_136_261
    try connection.query("SELECT name, rootpage FROM sqlite_master WHERE type = 'table'").run {
      guard names.contains(FoldedName($0.value(0).description)) else { return }
      places = (places ^ UInt32(truncatingIfNeeded: $0.integer(1))) &* 16_777_619
    }
    var count: Int64 = 0
    try connection.query("PRAGMA schema_version").run { count = $0.integer(0) }
    return Int64(places >> 1) << 32 | Int64(UInt32(truncatingIfNeeded: count))
  }

  /// Returns true if a table may have been created again between two layouts.
  ///
  /// That takes several changes, and the table is at another position afterwards. `VACUUM` is a
  /// single change. It moves tables, but changes no value.
  static func isMadeAgain(_ layout: Int64, since earlier: Int64) -> Bool {
    let changes = UInt32(truncatingIfNeeded: layout) &- UInt32(truncatingIfNeeded: earlier)
    return changes > 1 && layout >> 32 != earlier >> 32
  }

  /// Throws if another program has changed a table so that it can't be read or written any more.
  private func checkTables(_ schema: FileSchema) throws {
    try schema.checkOwn()
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
      try connection.query("SELECT name, type FROM pragma_table_info(?)")
        .run([.text(object.name)]) {
          columns[FoldedName($0.value(0).description)] = $0.value(1).description
        }
      for column in shape.columns where columns[FoldedName(column.name)] != column.type {
        throw mismatch(
          "the table \(shape.name) has no column \"\(column.name)\" of type \(column.type) any more"
        )
      }
    }
  }

  private func mismatch(_ what: String) -> StoreError {
    .storage(
      StorageFault(
        .schemaMismatch,
        "\(connection.path): \(what), since another program has changed it while the store is open; put that "
          + "back with the sqlite3 shell, or close the store and open it again",
        path: connection.path
      ))
  }
}
