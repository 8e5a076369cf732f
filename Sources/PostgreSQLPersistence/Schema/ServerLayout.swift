#if PostgreSQL
@_spi(Storage) internal import EntityStore
internal import Locking
@_spi(Storage) internal import SQLMapping

/// The tables of a store in a schema of a database.
///
/// An entity is a table with a column for each attribute, which other tools can read. Texts have
/// the collation "C". `signalbox_log` has a row for each commit, and its number is the version.
struct ServerLayout {
  let connection: ServerConnection
  let entities: [EntityDescription]

  /// The format of the library's own tables.
  private static let format: Int64 = 1
  private static let tables = """
    CREATE TABLE signalbox_metadata (name text COLLATE "C" PRIMARY KEY, value bigint NOT NULL);
    CREATE TABLE signalbox_log
      (version bigint PRIMARY KEY, token bigint NOT NULL, changes bytea,
       at timestamptz NOT NULL DEFAULT clock_timestamp());
    CREATE TABLE signalbox_schemas
      (entity text COLLATE "C" PRIMARY KEY, description text COLLATE "C" NOT NULL);
    CREATE TABLE signalbox_ids (entity text COLLATE "C" PRIMARY KEY, last bigint NOT NULL);
    """

  /// Returns SQL that waits for the lock of the schema's writers.
  ///
  /// It is held until the transaction ends. So versions have the order of commits.
  static func lock(_ place: ServerPlace) -> String {
    "SELECT pg_advisory_xact_lock(\(lockKeys(place)))"
  }

  /// The numbers of the lock: "Sbox", and the schema's number in this database.
  static func lockKeys(_ place: ServerPlace) -> String {
    "1398959992, (SELECT oid::int FROM pg_namespace WHERE nspname = \(literal(place.schema)))"
  }

  /// Returns a name as a text in quotes.
  static func literal(_ name: String) -> String {
    "'" + name.unicodeScalars.map { $0 == "'" ? "''" : String($0) }.joined() + "'"
  }

  /// Checks that the database can have tables for the entities.
  static func checkNames(of entities: [EntityDescription], schema: String) {
    for name in [schema] + entities.flatMap({ [$0.name] + $0.sqlColumns.map(\.name) }) {
      mustHold(
        !name.utf8.contains(0) && name.utf8.count <= 63 && !name.isEmpty,
        "A name of PostgreSQL has 1 to 63 bytes and no NUL; use another one than \(name)")
    }
    let folded = entities.map { $0.name.lowercased() }
    mustHold(
      Set(folded).count == folded.count,
      "Two entities have names that differ only in case; give one another entityName")
    for entity in entities {
      mustHold(
        !["signalbox_", "pg_"].contains(where: entity.name.hasPrefix),
        "\(entity.name) is a reserved name; give the entity another entityName")
      mustHold(
        !entity.sqlColumns.contains { $0.name == PostgreSQLDialect.rowNumber },
        "\(entity.name).\(PostgreSQLDialect.rowNumber) is a reserved name; rename the attribute")
    }
  }

  // MARK: Opening

  /// Creates the tables that don't exist, and adds the columns that lack, in one transaction.
  ///
  /// - Returns: the version.
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if the tables are those of another program
  ///   or of a newer one, or don't fit.
  func prepare() throws -> Int64 {
    let place = connection.place
    connection.operation = "opening"
    try connection.execute("BEGIN")
    do {
      // Two programs that create the same schema at once would meet in the catalogs.
      try connection.execute("SELECT pg_advisory_xact_lock(1398959992, 0)")
      let hasSchema = try exists(
        "SELECT 1 FROM pg_namespace WHERE nspname = $1", [.text(place.schema)])
      if !hasSchema { try connection.execute("CREATE SCHEMA \(SQL.quoted(place.schema))") }
      try connection.execute("SET LOCAL search_path TO \(SQL.quoted(place.schema))")
      try connection.execute(Self.lock(place))
      try prepareOwnTables()
      try prepareEntities()
      let version = try connection.run(
        "SELECT COALESCE(MAX(version), 0) FROM signalbox_log", []
      ).integer(0, 0)
      try connection.execute("COMMIT")
      return version
    } catch {
      connection.rollBack()
      throw error
    }
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

  private func prepareOwnTables() throws {
    if try !hasTable("signalbox_metadata") {
      try connection.execute(Self.tables)
      try connection.execute(ServerTriggers(connection.place).shared)
      try connection.run(
        "INSERT INTO signalbox_metadata (name, value) VALUES ('format', $1)",
        [.integer(Self.format)])
      return
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
  }

  private func prepareEntities() throws {
    var known: [String: String] = [:]
    let rows = try connection.run("SELECT entity, description FROM signalbox_schemas", [])
    for row in 0..<rows.rowCount { known[rows.text(row, 0)] = rows.text(row, 1) }
    var new: [EntityDescription] = []
    for entity in entities {
      let description = ServerTable(entity).description
      guard let old = known[entity.name] else {
        if try hasTable(entity.name) {
          throw fault(
            .foreign, "it has a table \(entity.name) of another program; use another schema")
        }
        try connection.execute(ServerTable(entity).create)
        try createTriggers(of: entity)
        new.append(entity)
        try note(description, of: entity)
        continue
      }
      if TextBytes.equal(old, description) { continue }
      guard try ServerTable(entity).addColumns(to: old, connection) else {
        throw fault(
          .schemaMismatch,
          "the table \(entity.name) differs from its schema in more than new attributes with a default; it is "
            + "\(old)")
      }
      try createTriggers(of: entity)
      try note(description, of: entity)
      // Others read the table from scratch.
      try connection.run(
        """
        INSERT INTO signalbox_log (version, token)
        SELECT COALESCE(MAX(version), 0) + 1, $1 FROM signalbox_log
        """, [.integer(.random(in: .min ... .max))])
    }
    for entity in new {
      for sql in ServerTable(entity).constraints { try connection.execute(sql) }
    }
    for entity in entities {
      // Only the owner may say CREATE INDEX, even if the index is there.
      for (name, sql) in ServerTable(entity).indexes where try !hasTable(name) {
        try connection.execute(sql)
      }
    }
  }

  private func createTriggers(of entity: EntityDescription) throws {
    for sql in ServerTriggers(connection.place).statements(of: entity) {
      try connection.execute(sql)
    }
  }

  private func note(_ description: String, of entity: EntityDescription) throws {
    try connection.run(
      """
      INSERT INTO signalbox_schemas (entity, description) VALUES ($1, $2)
      ON CONFLICT (entity) DO UPDATE SET description = excluded.description
      """, [.text(entity.name), .text(description)])
  }

  private func fault(_ kind: StorageFault.Kind, _ message: String) -> StoreError {
    .storage(
      StorageFault(
        kind, "\(connection.place): \(message.harmless(atMost: 600))",
        operation: connection.operation))
  }
}
#endif
