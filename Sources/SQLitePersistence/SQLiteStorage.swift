public import EntityStore
internal import Locking

/// A storage in an SQLite file.
///
/// The file is the truth: nothing is loaded but what is asked for.
///
/// One connection writes; each read has one of its own, at one version, and waits neither for the
/// writer nor for other reads. The layout of the tables is made for other tools to read.
public final class SQLiteStorage: Storage {
  private let path: String
  private let durability: Durability

  /// The writing connection.
  ///
  /// The store has one commit at a time, so it needs no lock.
  private struct Writer: @unchecked Sendable {
    let connection: Connection
  }

  /// Connections that nobody reads with.
  ///
  /// Each is used by the one thread that took it out.
  private struct Idle: @unchecked Sendable {
    var connections: [Connection] = []
    var entities: Set<EntityDescription> = []
  }

  package static let mostIdle = 4
  private let writer: Writer
  private let idle = Locked(Idle())

  /// Opens the file at `path`, or makes it.
  ///
  /// - Throws: ``StoreError/storage(_:)`` if it can't be opened or isn't a database.
  /// - Precondition: `path` names a file: a storage has several connections, which a database in
  ///   memory can't be shared by.
  public init(path: String, durability: Durability = .full) throws {
    precondition(
      !path.isEmpty && path != ":memory:" && !path.hasPrefix("file:"),
      "\"\(path)\" is no path of a file; use .inMemory for a store without one")
    self.path = path
    self.durability = durability
    writer = Writer(connection: try Connection(path: path, .readWriteCreate))
  }

  deinit {
    // The last connection that closes moves the log into the file, and one that only reads can't.
    idle.withLock { $0.connections = [] }
  }

  /// Makes the tables that aren't there, checks those that are, and gives the last version.
  public func open(_ entities: [EntityDescription]) throws -> Int64 {
    // Looked at before anything is changed: another program's file stays as it is.
    try SQLiteLayout.checkOwner(writer.connection)
    try writer.connection.prepareToWrite(durability)
    try SQLiteLayout.prepare(entities, writer.connection)
    writer.connection.known = Set(entities)
    idle.withLock { $0.entities = Set(entities) }
    return try writer.connection.version()
  }

  /// Takes the file's write lock.
  public func begin() throws -> any StorageTransaction {
    try SQLiteTransaction(writer.connection)
  }

  /// Narrows the writing connection, for tests that run into its limits.
  package func limit(waiting milliseconds: Int? = nil, pages: Int? = nil) throws {
    if let milliseconds { try writer.connection.execute("PRAGMA busy_timeout = \(milliseconds)") }
    if let pages { try writer.connection.execute("PRAGMA max_page_count = \(pages)") }
  }

  /// How many connections wait for a read, for tests.
  package var idleConnectionCount: Int { idle.withLock { $0.connections.count } }

  /// Reads the last version through a connection of its own.
  public func read<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result {
    let connection = try takeReader()
    defer { giveBack(connection) }
    // A read transaction begins with its first SELECT, that of the version.
    try connection.begin()
    defer { try? connection.commit() }
    let reader = try SQLiteReader(connection)
    defer { reader.end() }
    return try body(reader)
  }

  /// The object with an id in the last committed version, or nil.
  ///
  /// - Complexity: O(log *n*) where *n* is the number of objects.
  public func row(of entity: EntityDescription, id: StoredValue) throws -> EntityRow? {
    let connection = try takeReader()
    defer { giveBack(connection) }
    // A statement alone is a transaction, which sees one version.
    return try connection.statements(of: entity).object(id)
  }
}

extension SQLiteStorage {
  /// A connection that nobody reads with, which is another one's if all are busy.
  private func takeReader() throws -> Connection {
    if let connection = idle.withLock({ $0.connections.popLast() }) { return connection }
    let connection = try Connection(path: path, .readOnly)
    connection.known = idle.withLock { $0.entities }
    return connection
  }

  /// Keeps a connection for the next read, unless enough wait already or its transaction hasn't ended.
  private func giveBack(_ connection: Connection) {
    if connection.isInTransaction { return }
    idle.withLock { idle in
      if idle.connections.count < Self.mostIdle { idle.connections.append(connection) }
    }
  }
}

extension Backing {
  /// The SQLite file at `path`, which is made if it isn't there.
  public static func sqlite(path: String, durability: Durability = .full) -> Backing {
    .custom { try SQLiteStorage(path: path, durability: durability) }
  }
}
