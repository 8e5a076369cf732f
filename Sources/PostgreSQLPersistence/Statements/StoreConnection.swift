#if PostgreSQL
@_spi(Storage) internal import EntityStore

/// A connection with the statements of a store, for one thread at a time.
final class StoreConnection: ServerConnection {
  /// The entities of the store; another one is refused.
  let known: Set<EntityDescription>
  /// The statements for the store's own tables.
  private(set) lazy var own = ServerStatements(place, durableCommit: durableCommit)
  /// The setting with which a commit waits for the disk.
  private var durableCommit = "local"
  private var entities: [EntityDescription: ServerEntity] = [:]

  /// Connects to a server.
  ///
  /// - Parameters:
  ///   - connectionString: a connection string of libpq.
  ///   - schema: the schema of the store's tables.
  ///   - known: the entities of the store.
  ///   - waitsForDisk: true if transactions wait for the disk.
  ///   - settings: SQL that sets the session's settings.
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if the string can't be parsed, or if the
  ///   server can't be reached, refuses, or isn't fit.
  init(
    _ connectionString: String, schema: String, _ known: Set<EntityDescription> = [],
    waitsForDisk: Bool = true, settings: String = ""
  ) throws {
    self.known = known
    try super.init(
      connectionString, schema: schema, settings: "\(ServerTriggers.isStore); \(settings)")
    // The setting of the server, the database or the role, which may wait for standbys, too.
    let usual = try execute("SHOW synchronous_commit").text(0, 0)
    if usual != "off" { durableCommit = usual }
    try execute("SET synchronous_commit = \(waitsForDisk ? durableCommit : "off")")
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
