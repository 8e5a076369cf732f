#if PostgreSQL
@_spi(Storage) public import EntityStore
internal import Locking

/// A storage in a schema of a PostgreSQL database, which many processes and machines share.
///
///     let store = try Store(
///       .custom { try PostgreSQLStorage("postgresql://app@db/app") }, entities: [Dog.self])
///
/// All writers of a schema have one order of versions. Each read has its own connection, at one
/// version, and waits for no writer.
@_spi(Storage) public final class PostgreSQLStorage: Storage {
  /// The number of bytes that a row of the change log may have.
  static let mostLogged = 4 << 20
  /// The number of versions that the change log keeps.
  static let mostVersions: Int64 = 10_000
  private static let mostIdle = 4

  let durability: ServerDurability
  /// The time to wait for other writers, in milliseconds.
  let waiting: Int
  private let connectionString: String
  private let schema: String

  /// The connections that nobody uses.
  ///
  /// It is unchecked because a connection isn't `Sendable`. The lock gives each to one thread.
  private struct Idle: @unchecked Sendable {
    var readers: [ServerConnection] = []
    var writer: ServerConnection?
    var entities: Set<EntityDescription> = []
  }

  private let idle = Locked(Idle())
  private let follower = Locked<ServerFollower?>(nil)

  /// Creates a storage; nothing is connected until the store opens.
  ///
  /// - Parameters:
  ///   - connectionString: a connection string of libpq: a URL, or words and values.
  ///   - schema: the schema of the store's tables, which is created if it doesn't exist.
  ///   - durability: the failures that a returned commit survives.
  ///   - waiting: the time to wait for other writers.
  /// - Precondition: the schema's name has 1 to 63 bytes, and `waiting` is a millisecond or more.
  public init(
    _ connectionString: String, schema: String = "signalbox", durability: ServerDurability = .full,
    waiting: Duration = .seconds(10)
  ) {
    ServerLayout.checkNames(of: [], schema: schema)
    let milliseconds =
      Int(waiting.components.seconds) * 1000
      + Int(waiting.components.attoseconds / 1_000_000_000_000_000)
    mustHold(milliseconds > 0, "A wait of \(waiting) for other writers; use a millisecond or more")
    self.connectionString = connectionString
    self.schema = schema
    self.durability = durability
    self.waiting = milliseconds
  }

  private func connect() throws -> ServerConnection {
    let connection = try ServerConnection(connectionString, schema: schema)
    connection.known = idle.withLock { $0.entities }
    return connection
  }

  /// Creates the tables that don't exist, adds columns that lack, and returns the last version.
  ///
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if the server can't be reached or refuses,
  ///   or if the schema's tables don't fit.
  public func open(_ entities: [EntityDescription]) throws -> Int64 {
    ServerLayout.checkNames(of: entities, schema: schema)
    idle.withLock { $0.entities = Set(entities) }
    let connection = try connect()
    let version = try ServerLayout(connection: connection, entities: entities).prepare()
    idle.withLock { $0.writer = connection }
    return version
  }

  // MARK: Reading

  /// Reads the last version through a separate connection.
  ///
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if the server can't be reached; an error of
  ///   `body`.
  public func read<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result {
    let connection = try takeReader()
    defer { giveBack(connection) }
    let reader = try ServerReader(connection)
    defer { reader.end() }
    return try body(reader)
  }

  /// Returns a connection in a new transaction that sees one version.
  ///
  /// A connection that was lost while nobody used it is replaced.
  private func takeReader() throws -> ServerConnection {
    let begin =
      "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; "
      + ServerLayout.settings(ServerPlace(host: "", database: "", schema: schema))
    while let connection = idle.withLock({ $0.readers.popLast() }) {
      connection.operation = "reading"
      if (try? connection.execute(begin)) != nil { return connection }
    }
    let connection = try connect()
    connection.operation = "reading"
    try connection.execute(begin)
    return connection
  }

  private func giveBack(_ connection: ServerConnection) {
    guard connection.isSound, (try? connection.execute("COMMIT")) != nil else { return }
    idle.withLock { idle in
      if idle.readers.count < Self.mostIdle { idle.readers.append(connection) }
    }
  }

  // MARK: Writing

  /// Takes the lock of the schema's writers.
  ///
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if the server can't be reached, or if
  ///   another writer holds the lock for too long.
  public func begin() throws -> any StorageTransaction {
    if let writer = idle.withLock({ $0.writer.take() }) {
      do {
        return try ServerTransaction(writer, in: self)
      } catch {
        if writer.isSound {
          giveBackWriter(writer)
          throw error
        }
        // The connection was lost while nobody used it.
      }
    }
    let writer = try connect()
    do {
      return try ServerTransaction(writer, in: self)
    } catch {
      giveBackWriter(writer)
      throw error
    }
  }

  /// Keeps the writing connection for the next commit, unless it is lost.
  func giveBackWriter(_ connection: ServerConnection) {
    if connection.isSound && !connection.isInTransaction {
      idle.withLock { $0.writer = connection }
    }
  }

  /// The outcomes of a transaction.
  enum Outcome { case committed, rolledBack, unknown }

  /// Asks the server what has become of a transaction whose connection was lost.
  func outcome(of serverNumber: Int64?, version: Int64, token: Int64) -> Outcome {
    guard let serverNumber else { return .rolledBack }
    let clock = ContinuousClock()
    let end = clock.now + .seconds(20)
    while clock.now < end {
      if let outcome = try? ask(serverNumber, version, token) { return outcome }
      WakeUp().sleep(for: .milliseconds(100))
    }
    return .unknown
  }

  /// - Throws: an error if the server can't be asked yet, or if the transaction is still running.
  private func ask(_ serverNumber: Int64, _ version: Int64, _ token: Int64) throws -> Outcome {
    let connection = try connect()
    try connection.execute(
      "BEGIN; " + ServerLayout.settings(connection.place))
    let found = try connection.run(
      "SELECT 1 FROM signalbox_log WHERE version = $1 AND token = $2",
      [.integer(version), .integer(token)])
    if found.rowCount > 0 { return .committed }
    let status = try connection.run(
      "SELECT pg_xact_status(CAST(CAST($1 AS text) AS xid8))", [.text("\(serverNumber)")]
    ).text(0, 0)
    switch status {
    case "aborted": return .rolledBack
    case "in progress":
      throw StoreError.storage(StorageFault(.busy, "The transaction is still running"))
    // It has committed since the first question, or the server doesn't know it any more.
    default:
      let again = try connection.run(
        "SELECT 1 FROM signalbox_log WHERE version = $1 AND token = $2",
        [.integer(version), .integer(token)])
      return again.rowCount > 0 ? .committed : .unknown
    }
  }

  // MARK: Others

  /// Listens for commits of others.
  ///
  /// It also looks for them twice a second, in case that a notification is lost.
  public func follow(
    _ body: @escaping @Sendable (_ version: Int64) async throws -> Bool,
    failed: @escaping @Sendable (any Error) -> Void
  ) -> (any AnyObject & Sendable)? {
    let follower = ServerFollower(connectionString, schema, body, failed: failed)
    self.follower.withLock { $0 = follower }
    return ServerWatch(follower)
  }

  /// Has the follower's connection notify others.
  func tellOthers() { follower.withLock { $0 }?.tellOthers() }
}

@_spi(Storage) extension PostgreSQLStorage: CustomStringConvertible {
  /// The schema, without the connection string, which may have a password.
  public var description: String { "PostgreSQLStorage(schema: \"\(schema)\")" }
}
#endif
