#if PostgreSQL
@_spi(Storage) public import EntityStore
internal import Locking
@_spi(Storage) internal import SQLMapping

/// A storage in a schema of a PostgreSQL database, which many processes and machines share.
///
///     let store = try Store(
///       .custom { try PostgreSQLStorage("postgresql://app@db/app") }, entities: [Dog.self])
///
/// All writers of a schema have one order of versions. Each read has its own connection, at one
/// version, and waits for no writer.
@_spi(Storage) public final class PostgreSQLStorage: Storage {
  let durability: ServerDurability
  /// The number of times that a commit's body may run.
  public let attempts: Int
  /// The time to wait for other writers, in milliseconds.
  let waiting: Int
  private let connectionString: String
  /// The connection string of a pooler in transaction mode, or nil.
  private let pooler: String?
  private let schema: String
  let migrations: [Migration]
  private let progress: (@Sendable (Migration.Progress) throws -> Void)?

  private struct Kept: @unchecked Sendable {
    // @unchecked: a connection isn't `Sendable`. The lock gives it to one thread.
    /// The connection for the next commit.
    var writer: ServerStoreConnection?
    var entities: Set<EntityDescription> = []
  }

  private let kept = Locked(Kept())
  let readers: ReaderPool
  private let poller = Locked<ServerPoller?>(nil)
  private let sync: ServerSync
  /// The rhythm in which this storage trims the change log, as the last commit has left it.
  let trimming = Locked(LogTrimming())

  /// Creates a storage; nothing is connected until the store opens.
  ///
  /// The parameters are those of `StorageKind.postgreSQL`. The connection string is a URL, or words
  /// and values.
  ///
  /// - Precondition: the schema's name has 1 to 63 bytes, `waiting` is from a millisecond to 24
  ///   days, and `attempts` and `readers` are 1 or more.
  public init(
    _ connectionString: String, pooler: String? = nil, schema: String = "signalbox",
    durability: ServerDurability = .full, waiting: Duration = .seconds(10), attempts: Int = 1,
    readers: Int = 8, migrations: [Migration] = [],
    progress: (@Sendable (Migration.Progress) throws -> Void)? = nil
  ) {
    ServerLayout.checkNames(of: [], schema: schema)
    mustHold(
      waiting >= .milliseconds(1),
      "A wait of \(waiting) for other writers; use a millisecond or more")
    mustHold(
      waiting <= .milliseconds(Int64(Int32.max)),
      "A wait of \(waiting) for other writers, which is longer than a server can wait; "
        + "use 24 days at most")
    mustHold(attempts > 0, "A body is to run \(attempts) times; use 1 or more")
    mustHold(readers > 0, "\(readers) connections for reads; use 1 or more")
    Migration.checkNames(migrations)
    self.attempts = attempts
    self.migrations = migrations
    self.progress = progress
    self.readers = ReaderPool(atMost: readers, waiting: waiting)
    self.connectionString = connectionString
    self.pooler = pooler
    self.schema = schema
    self.durability = durability
    let (seconds, attoseconds) = waiting.components
    self.waiting = Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
    sync = ServerSync { try ServerStoreConnection(connectionString, schema: schema) }
  }

  /// Connects to the server itself.
  func connect() throws -> ServerStoreConnection {
    // A commit is made durable by `makeDurable`, which other writers don't wait for.
    try ServerStoreConnection(
      connectionString, schema: schema, kept.withLock { $0.entities },
      waitsForDisk: false, waiting: waiting)
  }

  /// Connects to the pooler, or to the server if there is none.
  private func connectToPool() throws -> ServerStoreConnection {
    guard let pooler else { return try connect() }
    return try ServerStoreConnection(
      pooler, schema: schema, kept.withLock { $0.entities }, isPooled: true,
      waitsForDisk: false, waiting: waiting)
  }

  /// Creates the tables that don't exist, migrates those that don't fit, and returns the last
  /// version.
  ///
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if the server can't be reached or refuses,
  ///   or if the schema's tables don't fit.
  public func open(_ entities: [EntityDescription]) throws -> Int64 {
    ServerLayout.checkNames(of: entities, schema: schema)
    kept.withLock { $0.entities = Set(entities) }
    let connection = try connect()
    let version = try ServerOpening(
      connection: connection, entities: entities, migrations: migrations,
      reporter: MigrationReporter("\(connection.place)", progress)
    ).prepare()
    if pooler == nil { kept.withLock { $0.writer = connection } }
    return version
  }

  // MARK: Reading

  /// Reads the last version through a separate connection.
  ///
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if the server can't be reached; an error of
  ///   `body`.
  public func read<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result {
    let connection = try takeReader()
    let reader = ServerReader(connection)
    // They are sent with the first statement of the reader.
    connection.enqueue(connection.own.beginReading)
    for setting in connection.own.settings { connection.enqueue(setting) }
    connection.enqueue(connection.own.lockTables)
    connection.enqueue(connection.own.newest) { [unowned reader] in reader.note($0) }
    defer {
      reader.end()
      connection.queue = []
      // A part of a result that nobody has read may be an error.
      if !connection.sent.isEmpty, (try? connection.flush()) == nil { connection.rollBack() }
      // Without a statement no transaction has begun.
      if connection.isInTransaction { connection.enqueue(connection.own.commit) }
      // Nobody waits for the end of a transaction that only read.
      readers.giveBack(connection, isUsable: (try? connection.send()) != nil)
    }
    let result = Swift.Result { try body(reader) }
    // Without a version, the body may have thrown another error.
    if let error = reader.versionError { throw ServerFault.beginning(error, of: connection) }
    if case .failure(let error) = result {
      try explain(error, connection)
      // The first statement of the body has sent those that begin the transaction.
      if !reader.isVersionKnown, connection.transactionFault != nil {
        throw ServerFault.beginning(error, of: connection)
      }
    }
    if connection.isSound, connection.transactionFault == nil { try reader.checkGeneration() }
    return try result.get()
  }

  /// Throws a better error if a statement didn't fit the tables, because they were migrated.
  private func explain(_ error: any Error, _ connection: ServerStoreConnection) throws {
    guard case StoreError.storage(let fault) = error, fault.kind == .schemaMismatch,
      connection.isSound
    else { return }
    connection.rollBack()
    let reader = ServerReader(connection)
    defer {
      reader.end()
      // Its prepared statements are those for the tables of before.
      connection.isBroken = true
    }
    reader.note(try connection.run(connection.own.newest))
    try reader.checkGeneration()
  }

  /// Returns the object with an id, in one round trip.
  ///
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if the server can't be reached, or if the
  ///   tables have been migrated so that they don't fit.
  public func row(of entity: EntityDescription, id: StoredValue) throws -> EntityRow? {
    // Behind a pooler, only a transaction has a limit for its waits.
    if pooler == nil, let row = try rowAlone(of: entity, id: id) { return row }
    // A transaction looks whether the tables fit.
    return try read { try $0.row(of: entity, id: id) }
  }

  private func rowAlone(of entity: EntityDescription, id: StoredValue) throws -> EntityRow?? {
    let connection = try takeReader()
    defer { readers.giveBack(connection, isUsable: true) }
    do { return try connection.objectAlone(of: entity, id: id) } catch {
      try explain(error, connection)
      throw ServerFault.beginning(error, of: connection)
    }
  }

  private func takeReader() throws -> ServerStoreConnection {
    let connection = try readers.take(connectToPool)
    connection.operation = "reading"
    return connection
  }

  package var readersInUse: Int { readers.inUse }

  /// Waits until the reads that are running have ended; none begins any more.
  public func close() { readers.close() }

  // MARK: Writing

  /// Takes the lock of the schema's writers.
  ///
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if the server can't be reached, or if
  ///   another writer holds the lock for too long.
  public func begin() throws -> any StorageTransaction {
    readers.beginUrgent()
    do { return try beginCommit() } catch {
      readers.endUrgent()
      throw error
    }
  }

  private func beginCommit() throws -> any StorageTransaction {
    let known = kept.withLock { $0.writer.take() }
    let writer = try known ?? connectToPool()
    do {
      return try ServerTransaction(writer, in: self)
    } catch {
      keep(writer)
      if known == nil || writer.isSound && !writer.isReadOnly { throw error }
    }
    // The connection was lost while nobody used it, or its session is read-only.
    return try beginCommit()
  }

  /// Takes the connection of a commit that has begun and is over, on the thread that has made it.
  func giveBackWriter(_ connection: ServerStoreConnection) {
    readers.endUrgent()
    keep(connection)
  }

  /// Keeps the writing connection for the next commit, unless it is lost or can't write.
  private func keep(_ connection: ServerStoreConnection) {
    guard connection.isSound, !connection.isInTransaction, !connection.isReadOnly else { return }
    // After a COMMIT that has failed, nothing is rolled back, which would clear it.
    connection.transactionFault = nil
    kept.withLock { $0.writer = connection }
  }

  /// Waits until a version is on the server's disk, unless the durability is `.normal`.
  ///
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if the server has crashed and lost it. If
  ///   the server can't be reached, ``/EntityStore/StoreError/outcomeUnknown(version:fault:)`` for
  ///   a commit of the calling thread, and ``/EntityStore/StoreError/storage(_:)`` for any other
  ///   one. `outcomeUnknown`, too, if the change log doesn't reach back to such a commit.
  public func makeDurable(_ version: Int64) throws {
    if durability == .full { try sync.sync(version) }
  }

  /// True if a thread waits until commits are on the disk.
  var isSyncing: Bool { sync.isSyncing }

  /// Notes a commit, and has others notified.
  func didCommit(_ mark: ServerSync.Mark, isSynced: Bool) {
    if durability == .full { sync.noteCommitted(mark, isSynced: isSynced) }
    poller.withLock { $0 }?.tellOthers(of: mark.version, mark.token)
  }

  // MARK: Others

  /// Listens for commits of others.
  ///
  /// It also looks for them twice a second, in case that a notification is lost.
  public func follow(
    _ body: @escaping @Sendable (_ version: Int64) async throws -> Bool,
    failed: @escaping @Sendable (any Error) -> Void
  ) -> (any AnyObject & Sendable)? {
    do {
      let poller = try ServerPoller(
        connectionString, schema, waiting: waiting, body, failed: failed)
      self.poller.withLock { $0 = poller }
      return Watch(start: { poller.start() }, end: { poller.end() })
    } catch {
      Task.detached { failed(error) }
      return nil
    }
  }
}

@_spi(Storage) extension PostgreSQLStorage: CustomStringConvertible {
  /// The schema, without the connection string, which may have a password.
  public var description: String { "PostgreSQLStorage(schema: \"\(schema)\")" }
}
#endif
