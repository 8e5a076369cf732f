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
  private let vfs: String?

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
    var place: FilePlace?
  }

  private static let mostIdle = 4
  private let writer: Writer
  private let idle = Locked(Idle())

  /// Opens the file at `path`, or makes it.
  ///
  /// - Throws: ``StoreError/storage(_:)`` if it can't be opened or isn't a database.
  /// - Precondition: `path` names a file: a storage has several connections, which a database in
  ///   memory can't be shared by.
  public convenience init(path: String, durability: Durability = .full) throws {
    try self.init(path: path, durability: durability, vfs: nil)
  }

  /// Opens the file through one of SQLite's file systems, for tests of what a disk may do.
  package init(path: String, durability: Durability, vfs: String?) throws {
    precondition(
      !path.isEmpty && path != ":memory:" && !path.hasPrefix("file:"),
      "\"\(path)\" is no path of a file; use .inMemory for a store without one")
    self.durability = durability
    self.vfs = vfs
    writer = Writer(connection: try Connection(path: path, .readWriteCreate, vfs: vfs))
    self.path = writer.connection.absolutePath
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
    let version = try SQLiteLayout.version(writer.connection)
    let place = FilePlace(path: path)
    writer.connection.place = place
    idle.withLock { idle in
      idle.entities = Set(entities)
      idle.place = place
    }
    return version
  }

  /// Takes the file's write lock.
  public func begin() throws -> any StorageTransaction {
    try SQLiteTransaction(writer.connection)
  }

  /// Narrows the writing connection, for tests that run into its limits.
  package func limit(
    waiting milliseconds: Int? = nil, pages: Int? = nil, logPages: Int? = nil
  ) throws {
    if let logPages { writer.connection.mostLogPages = Int32(clamping: logPages) }
    if let milliseconds { try writer.connection.execute("PRAGMA busy_timeout = \(milliseconds)") }
    if let pages { try writer.connection.execute("PRAGMA max_page_count = \(pages)") }
  }

  /// Reads the last version through a connection of its own.
  public func read<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result {
    let connection = try idle.withLock { $0.connections.popLast() } ?? makeReader()
    // A read transaction begins with its first SELECT, that of the version.
    try connection.execute("BEGIN")
    var isSound = true
    defer {
      // One that has met a fault isn't used again: what it has cached may be wrong.
      if (try? connection.execute("COMMIT")) != nil, isSound {
        idle.withLock { idle in
          if idle.connections.count < Self.mostIdle { idle.connections.append(connection) }
        }
      }
    }
    do {
      try connection.checkPlace()
      let reader = try SQLiteReader(connection)
      defer { reader.end() }
      return try body(reader)
    } catch StoreError.storage(let fault) {
      isSound = false
      throw StoreError.storage(connection.place?.fault(.reading) ?? fault)
    }
  }
}

extension SQLiteStorage {
  private func makeReader() throws -> Connection {
    let (entities, place) = idle.withLock { ($0.entities, $0.place) }
    do {
      let connection = try Connection(path: path, .readOnly, vfs: vfs)
      connection.activity = .reading
      connection.known = entities
      connection.place = place
      return connection
    } catch {
      if let fault = place?.fault(.reading) { throw StoreError.storage(fault) }
      throw error
    }
  }
}

extension Backing {
  /// The SQLite file at `path`, which is made if it isn't there.
  public static func sqlite(path: String, durability: Durability = .full) -> Backing {
    .custom { try SQLiteStorage(path: path, durability: durability) }
  }
}
