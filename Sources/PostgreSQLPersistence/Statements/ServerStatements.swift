#if PostgreSQL
internal import CPostgreSQL
@_spi(Storage) internal import EntityStore

/// The statements of one connection for the store's own tables, composed once.
final class ServerStatements {
  /// Begins a transaction that sees one version.
  let beginReading = ServerStatement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
  let beginCommit = ServerStatement("BEGIN ISOLATION LEVEL READ COMMITTED")
  /// Set the settings of a transaction, unless its session has them.
  ///
  /// As the lock of the tables, they take no snapshot.
  let settings: [ServerStatement]
  let commit = ServerStatement("COMMIT")
  /// Makes the savepoint to which the reads of a failing observer are rolled back.
  let savepoint = ServerStatement("SAVEPOINT observer")
  let releaseSavepoint = ServerStatement("RELEASE SAVEPOINT observer")
  static let rollBackToSavepoint = "ROLLBACK TO SAVEPOINT observer"
  /// Has the COMMIT of this transaction wait for the disk.
  let syncAtEnd: ServerStatement
  /// Waits for the lock of the schema's writers, which is held until the transaction ends.
  ///
  /// So versions have the order of commits.
  let lock: ServerStatement
  /// Takes the lock if nobody holds it, and returns true if it has.
  ///
  /// It also sets how long the transaction may be idle, since the lock is held from then on.
  let tryLock: ServerStatement
  /// Waits for a migration, which is over before the transaction looks at anything.
  let lockTables: ServerStatement
  /// Reads the newest version, its token, and the number of times that tables were migrated.
  let newest: ServerStatement
  /// Reads the same, and the number of the running transaction.
  let newestAndNumber: ServerStatement
  /// Reads the descriptions of the tables.
  let descriptions: ServerStatement
  let token: ServerStatement
  /// Returns whether a version with a token is there, or NULL if it may have been trimmed.
  let isThere: ServerStatement
  /// Reads the changes since a version.
  let changes: ServerStatement
  /// Counts the bytes of the changes since a version, as very many if a row has been emptied.
  let changesSize: ServerStatement
  let logRow: ServerStatement
  /// Makes a version after those that the server has, and after a given one.
  let skip: ServerStatement
  /// Forget the changes up to a version.
  let trimLog: ServerStatement
  let trimToolRows: ServerStatement
  /// Forget the changes that no store would read, because those after them are too large.
  let emptyUnread: ServerStatement
  let deleteUnread: ServerStatement
  /// Reads what tools have changed since a version, or nothing if that has too many bytes.
  let toolRows: ServerStatement
  /// Notes the highest id of an entity.
  let lastIDs: ServerStatement

  init(_ place: ServerPlace, durableCommit: String, settings: [(String, String)]) {
    self.settings = settings.map { ServerStatement("SET LOCAL \($0) = '\($1)'") }
    syncAtEnd = ServerStatement(
      "SELECT set_config('synchronous_commit', '\(durableCommit)', TRUE)")
    let dialect = PostgreSQLDialect(schema: place.schema)
    let (log, ids) = (dialect.own("signalbox_log"), dialect.own("signalbox_ids"))
    let (bigint, text) = (ServerType.bigint.rawValue, ServerType.text.rawValue)
    lock = ServerStatement(ServerLayout.lock(place))
    // A writer that is stuck has others wait for no longer than one whose machine has vanished.
    let limit = "set_config('idle_in_transaction_session_timeout', '15s', TRUE)"
    tryLock = ServerStatement(
      "SELECT pg_try_advisory_xact_lock(\(ServerLayout.lockKeys(place))), \(limit)")
    // It takes no snapshot, so the next statement sees what the migration has left.
    lockTables = ServerStatement(
      "LOCK TABLE \(dialect.own("signalbox_metadata")) IN ACCESS SHARE MODE")
    let newest = "SELECT version, token FROM \(log) ORDER BY version DESC LIMIT 1"
    let generation =
      "SELECT value AS generation FROM \(dialect.own("signalbox_metadata")) WHERE name = 'generation'"
    let all = "FROM (\(generation)) AS generations LEFT JOIN (\(newest)) AS newest ON TRUE"
    self.newest = ServerStatement("SELECT version, token, generation \(all)")
    descriptions = ServerStatement(
      "SELECT DISTINCT ON (entity) entity, description FROM \(dialect.own("signalbox_schemas")) "
        + "ORDER BY entity, number DESC")
    newestAndNumber = ServerStatement(
      "SELECT version, token, generation, CAST(CAST(pg_current_xact_id() AS text) AS bigint), "
        // A tool that waits for the lock may have locked rows, so this writer gives way soon.
        + "set_config('lock_timeout', '500', TRUE), "
        + "\(limit) \(all)")
    token = ServerStatement("SELECT token FROM \(log) WHERE version = $1", [bigint])
    isThere = ServerStatement(
      "SELECT CASE WHEN EXISTS (SELECT FROM \(log) WHERE version = $1 AND token = $2) THEN TRUE "
        + "WHEN (SELECT MIN(version) FROM \(log)) > $1 THEN NULL ELSE FALSE END",
      [bigint, bigint])
    changes = ServerStatement(
      "SELECT version, changes FROM \(log) WHERE version > $1 ORDER BY version", [bigint])
    changesSize = ServerStatement(
      "SELECT CASE WHEN bool_or(changes = \(ServerLog.emptied)) THEN \(Int64.max) "
        + "ELSE COALESCE(SUM(octet_length(changes)), 0) END FROM \(log) WHERE version > $1",
      [bigint])
    logRow = ServerStatement(
      "INSERT INTO \(log) (version, token, changes) VALUES ($1, $2, $3)",
      [bigint, bigint, ServerType.bytea.rawValue])
    skip = ServerStatement(
      "INSERT INTO \(log) (version, token) "
        + "SELECT greatest(COALESCE(MAX(version), 0), $1) + 1, $2 FROM \(log)", [bigint, bigint])
    let rows = dialect.own("signalbox_tool_rows")
    trimLog = ServerStatement(ServerLog.deleting(through: "$1", of: log), [bigint])
    trimToolRows = ServerStatement(ServerLog.deleting(through: "$1", of: rows), [bigint])
    emptyUnread = ServerStatement(ServerLog.emptyingUnread(of: log))
    deleteUnread = ServerStatement(ServerLog.deletingUnread(of: rows))
    let limited = "ORDER BY version, place LIMIT $2"
    toolRows = ServerStatement(
      "SELECT version, entity, signature, CAST(CAST(was_absent AS int) AS bigint), content "
        + "FROM \(rows) WHERE version > $1 AND "
        + "(SELECT COALESCE(SUM(octet_length(content)), 0) FROM "
        + "(SELECT content FROM \(rows) WHERE version > $1 \(limited)) AS few) <= $3 \(limited)",
      [bigint, bigint, bigint])
    lastIDs = ServerStatement(
      "INSERT INTO \(ids) AS noted (entity, last) VALUES ($1, $2) "
        + "ON CONFLICT (entity) DO UPDATE SET last = greatest(noted.last, excluded.last)",
      [text, bigint])
  }
}
#endif
