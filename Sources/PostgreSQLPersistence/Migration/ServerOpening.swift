#if PostgreSQL
@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

/// The opening of a store: its tables are created or migrated, in one transaction.
struct ServerOpening {
  let connection: ServerConnection
  let entities: [EntityDescription]
  let migrations: [Migration]
  let reporter: MigrationReporter

  /// The format of the library's own tables.
  private static let format: Int64 = 5
  private static let tables = """
    CREATE TABLE signalbox_metadata (name text COLLATE "C" PRIMARY KEY, value bigint NOT NULL);
    CREATE TABLE signalbox_log
      (version bigint PRIMARY KEY, token bigint NOT NULL, changes bytea,
       at timestamptz NOT NULL DEFAULT clock_timestamp());
    CREATE TABLE signalbox_schemas
      (number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, entity text COLLATE "C" NOT NULL,
       description text COLLATE "C" NOT NULL);
    CREATE TABLE signalbox_migrations (name text COLLATE "C" PRIMARY KEY);
    CREATE TABLE signalbox_names
      (entity text COLLATE "C", name text COLLATE "C", former text COLLATE "C",
       PRIMARY KEY (entity, name, former));
    CREATE TABLE signalbox_ids (entity text COLLATE "C" PRIMARY KEY, last bigint NOT NULL);
    """

  /// Creates the tables that don't exist, and migrates those that don't fit, in one transaction.
  ///
  /// - Returns: the version.
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if the tables are those of another program
  ///   or of a newer one, or don't fit.
  func prepare() throws -> Int64 {
    let place = connection.place
    connection.operation = "opening"
    try connection.execute("BEGIN ISOLATION LEVEL READ COMMITTED")
    do {
      try createSchema()
      // A migration that has returned is on the disk, whatever a commit's durability is.
      try connection.execute("SET LOCAL synchronous_commit = on")
      try connection.execute("SET LOCAL search_path TO \(SQL.quoted(place.schema))")
      try connection.execute(ServerLayout.lock(place))
      let isNew = try prepareOwnTables()
      var migrator = try ServerMigrator(connection, entities, migrations, reporter)
      if try migrator.run(isNew: isNew) {
        // Stores that are open look at the tables again.
        try connection.run(
          "UPDATE signalbox_metadata SET value = value + 1 WHERE name = 'generation'", [])
      }
      let version = try connection.checked(
        connection.run("SELECT COALESCE(MAX(version), 0) FROM signalbox_log", []).integer(0, 0))
      let end = try connection.execute("COMMIT")
      guard end.command == "COMMIT" else {
        throw fault(.other, "the server has rolled the opening back; open the store again")
      }
      return version
    } catch {
      connection.rollBack()
      throw ServerFault.beginning(error, of: connection)
    }
  }

  private func createSchema() throws {
    let name: [StoredValue] = [.text(connection.place.schema)]
    let sql = "SELECT 1 FROM pg_namespace WHERE nspname = $1"
    let usable =
      "SELECT 1 FROM pg_namespace WHERE nspname = $1 AND has_schema_privilege(oid, 'USAGE')"
    if try exists(sql, name) {
      if try exists(usable, name) { return }
      throw fault(.readOnly, "the role may not use the schema; GRANT USAGE ON SCHEMA to it")
    }
    // Two programs that create the same schema at once would meet in the catalogs.
    try connection.execute("SELECT pg_advisory_xact_lock(1398959992, 0)")
    if try exists(sql, name) { return }
    try connection.execute("CREATE SCHEMA \(SQL.quoted(connection.place.schema))")
  }

  private func exists(_ sql: String, _ values: [StoredValue]) throws -> Bool {
    try connection.run(sql, values).rowCount > 0
  }

  private func hasTable(_ name: String) throws -> Bool {
    try exists(
      """
      SELECT 1 FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
      WHERE nspname = $1 AND relname = $2
      """, [.text(connection.place.schema), .text(name)])
  }

  /// Creates the library's own tables, and returns true if they didn't exist.
  private func prepareOwnTables() throws -> Bool {
    if try !hasTable("signalbox_metadata") {
      try connection.execute(Self.tables)
      try connection.execute(ServerTriggers(connection.place).shared)
      try connection.run(
        "INSERT INTO signalbox_metadata (name, value) VALUES ('format', $1), ('generation', 1)",
        [.integer(Self.format)])
      return true
    }
    let found = try connection.run(
      "SELECT value FROM signalbox_metadata WHERE name = 'format'", [])
    let format = found.rowCount == 1 ? found.integer(0, 0) : 0
    if format > Self.format {
      throw fault(
        .newer,
        "its tables have format \(format), and this library knows \(Self.format); update the app")
    }
    if format < 1 { throw fault(.corrupt, "its tables say no format; restore a backup") }
    if format < 3 {
      throw fault(
        .schemaMismatch,
        "its tables were made by a library that wasn't released; drop the schema, and fill it again"
      )
    }
    if format < Self.format {
      // Formats 3 and 4 have the same tables, and other functions.
      try connection.execute(ServerTriggers(connection.place).shared)
      try connection.run(
        "UPDATE signalbox_metadata SET value = $1 WHERE name = 'format'",
        [.integer(Self.format)])
    }
    return false
  }

  private func fault(_ kind: StorageFault.Kind, _ message: String) -> StoreError {
    .fault(
      kind, "\(connection.place): \(message.harmless(atMost: 600))",
      operation: connection.operation)
  }
}
#endif
