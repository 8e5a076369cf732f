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

    init(_ entities: [EntityDescription], _ migrations: [Migration]) {
      self.migrations = Migration.names(migrations)
      tables = entities.map { ($0.name, $0.tableDescription) }
    }
  }

  private unowned let connection: Connection
  private let expectation: Expectation
  private let probe: Statement
  private var seen: Int32?

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
    seen = count
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
