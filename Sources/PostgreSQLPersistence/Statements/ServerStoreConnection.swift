#if PostgreSQL
@_spi(Storage) internal import EntityStore

/// A connection with the statements of a store, for one thread at a time.
final class ServerStoreConnection: ServerConnection {
  /// The entities of the store; another one is refused.
  let known: Set<EntityDescription>
  /// The number of times that the tables had been migrated when they were seen to fit.
  var generation: Int64?
  /// The statements for the store's own tables.
  private(set) lazy var own = ServerStatements(
    place, durableCommit: durableCommit, settings: isPooled ? settings : [])
  /// The setting with which a commit waits for the disk.
  private var durableCommit = "local"
  /// The settings of its transactions.
  ///
  /// The server compiles a statement again for each execution, and would for many of ours: it
  /// overestimates the cost of a joined value that it remembers.
  private var settings = [
    ("signalbox.writer", "store"), ("idle_in_transaction_session_timeout", "10min"),
    ("jit", "off"), ("standard_conforming_strings", "on"),
  ]
  private var entities: [EntityDescription: ServerEntity] = [:]

  /// Connects to a server, or to a pooler in transaction mode if `isPooled` is true.
  ///
  /// Transactions wait for other writers for a number of milliseconds, or without a limit.
  ///
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if the string can't be parsed, or if the
  ///   server can't be reached, refuses, or isn't fit.
  init(
    _ connectionString: String, schema: String, _ known: Set<EntityDescription> = [],
    isPooled: Bool = false, waitsForDisk: Bool = true, waiting: Int? = nil
  ) throws {
    self.known = known
    try super.init(connectionString, schema: schema, isPooled: isPooled)
    // The setting of the server, the database or the role, which may wait for standbys, too.
    let usual = try execute("SHOW synchronous_commit").text(0, 0)
    if usual != "off" { durableCommit = usual }
    settings.append(("synchronous_commit", waitsForDisk ? durableCommit : "off"))
    if let waiting { settings.append(("lock_timeout", "\(waiting)")) }
    // A session of a pooler is another client's as soon as the transaction ends.
    if isPooled { return }
    try execute(settings.map { "SET \($0) = '\($1)'" }.joined(separator: "; "))
  }

  /// Returns the statements of an entity, which are made once.
  func statements(of entity: EntityDescription) -> ServerEntity {
    if let statements = entities[entity] { return statements }
    let statements = ServerEntity(entity, schema: place.schema)
    entities[entity] = statements
    return statements
  }
}
#endif
