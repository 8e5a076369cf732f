internal import EntityStore

/// Notices that another process has migrated a file under an open store.
///
/// SQLite prepares a statement anew when the file's tables have changed since. So one that reads nothing
/// says, at the cost of running it, whether there is anything to look at.
final class SchemaWatch {
  /// What a store has been opened with.
  struct Expectation: Sendable {
    let migrations: Set<ExactText>
    /// The entities' names and what their tables are like.
    let tables: [(name: String, description: String)]
    /// Their unique keys, and the columns of their ids.
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
  /// Whether another program has made a unique index, by which `OR REPLACE` deletes rows that no trigger sees.
  private(set) var hasOthersKey = false
  /// A number that is another one after each change of the file's tables, indexes and triggers, by whomever: SQLite's
  /// count of such changes, and above that one for where the entities' tables are.
  private(set) var layout: Int64 = 0

  init(_ connection: Connection, _ expectation: Expectation) throws {
    self.connection = connection
    self.expectation = expectation
    probe = try connection.statement("SELECT 1 FROM signalbox_schemas LIMIT 0")
  }

  /// Throws if the file isn't as the store was opened with any more.
  ///
  /// What it finds holds for the transaction that is open.
  func check() throws {
    try probe.run()
    let count = probe.timesPreparedAnew
    if count == seen { return }
    let record = try SchemaRecord(connection)
    try record.checkMigrations(expectation.migrations, path: connection.path)
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
    // Ours are constraints, so mostly there is none to look at.
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

  /// Whether a table may have been made again between two layouts.
  ///
  /// That takes several changes, after which the table is somewhere else. `VACUUM`, which moves tables and changes no
  /// value, is one.
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

extension SchemaRecord {
  /// Throws if a migration has run that isn't among those of the program.
  func checkMigrations(_ known: Set<ExactText>, path: String) throws {
    let unknown = migrations.subtracting(known).map(\.text)
    guard let name = unknown.min(by: { TextBytes.compare($0, $1) < 0 }) else { return }
    throw StoreError.storage(
      StorageFault(
        .newer,
        "\(path): a later version of the app has migrated the file (\"\(name)\"); update the app, or put "
          + "that migration back into the list"))
  }
}
