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
  private let watching: FileWatching
  private let migrations: [Migration]
  private let progress: (@Sendable (MigrationProgress) throws -> Void)?

  /// The writing connection.
  ///
  /// The store has one commit at a time, so it needs no lock.
  private struct Writer: @unchecked Sendable {
    let connection: Connection
    let log: CommitLog
  }

  /// Connections that nobody reads with.
  ///
  /// Each is used by the one thread that took it out.
  private struct Idle: @unchecked Sendable {
    var connections: [Connection] = []
    var entities: Set<EntityDescription> = []
    var place: FilePlace?
    var expectation: SchemaWatch.Expectation?
  }

  package static let mostIdle = 4
  private let writer: Writer
  private let idle = Locked(Idle())
  private let logSync = Locked<LogSync?>(nil)
  private let logMover = Locked<LogMover?>(nil)
  private let logHealth = LogHealth()

  /// Opens the file at `path`, or makes it.
  ///
  /// The file is migrated when the store opens: what its tables lack or have otherwise than the schemas
  /// is changed, as ``Migration`` says.
  ///
  /// - Parameters:
  ///   - path: where the file is.
  ///   - durability: what a returned commit survives.
  ///   - watching: how it is noticed that others have written to the file.
  ///   - migrations: the named migrations, in the order in which they run.
  ///   - progress: is told of each step of a migration, on the thread that opens the store, while the
  ///     file is locked for writing. If it throws, the migration is cancelled: opening throws a fault of
  ///     the kind ``/EntityStore/StorageFault/Kind/cancelled``, and the file is as it was.
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if it can't be opened or isn't a database, or if `path`
  ///   names no file: it is empty, has a NUL in it, or is `:memory:` or a URL.
  /// - Precondition: the names of the migrations differ.
  public convenience init(
    path: String, durability: Durability = .full, watching: FileWatching = .automatic,
    migrations: [Migration] = [],
    progress: (@Sendable (MigrationProgress) throws -> Void)? = nil
  ) throws {
    try self.init(
      path: path, durability: durability, watching: watching, log: .init(), vfs: nil,
      migrations: migrations, progress: progress)
  }

  /// The same through one of SQLite's file systems, for tests of what a disk may do.
  package convenience init(path: String, durability: Durability, vfs: String?) throws {
    try self.init(path: path, durability: durability, watching: .none, log: .init(), vfs: vfs)
  }

  /// The same with limits of the log, for tests that run into them.
  init(
    path: String, durability: Durability, watching: FileWatching, log limits: CommitLog.Limits,
    vfs: String? = nil, migrations: [Migration] = [],
    progress: (@Sendable (MigrationProgress) throws -> Void)? = nil
  ) throws {
    Migration.checkNames(migrations)
    try StorageFault.check(path: path)
    self.migrations = migrations
    self.progress = progress
    self.durability = durability
    self.vfs = vfs
    self.watching = watching
    let connection = try Connection(path: path, .readWriteCreate, vfs: vfs)
    writer = Writer(connection: connection, log: CommitLog(connection, limits))
    connection.logHealth = logHealth
    self.path = connection.absolutePath
  }

  deinit {
    // The last connection that closes moves the log into the file, and one that only reads can't.
    idle.withLock { $0.connections = [] }
    logMover.withLock { $0.take() }?.end()
    guard logHealth.fault != nil else { return }
    // Pages moved out of a log that may have holes would be the only copy.
    writer.connection.keepLog()
    logSync.withLock { $0 }?.keepLog()
  }

  /// Makes the tables that aren't there, migrates those that don't fit, and gives the last version.
  public func open(_ entities: [EntityDescription]) throws -> Int64 {
    // Looked at before anything is read: reading would make a log beside the file.
    try writer.connection.checkIsWritable()
    // Looked at before anything is changed: another program's file stays as it is.
    try SQLiteLayout.checkOwner(writer.connection)
    try writer.connection.prepareToWrite(durability)
    try SQLiteLayout.prepare(
      entities, writer.connection, migrations, MigrationReporter(path: path, progress))
    writer.connection.known = Set(entities)
    let version = try writer.connection.version()
    // Before another connection opens what is there by now, and takes this file's log for that one's.
    try checkPlace(FilePlace(path: path), of: [writer.connection])
    var opened = [writer.connection]
    if durability == .full {
      // From here on commits share their syncs.
      let connection = try Connection(path: path, .readWrite, vfs: vfs)
      // It may be the last that closes, which moves the log.
      try connection.syncWholly()
      try connection.execute("PRAGMA synchronous = NORMAL")
      let sync = try LogSync(connection, logHealth)
      try writer.connection.execute("PRAGMA synchronous = NORMAL")
      writer.connection.logSync = sync
      opened.append(connection)
      logSync.withLock { $0 = sync }
    }
    let expectation = SchemaWatch.Expectation(entities, migrations)
    writer.connection.schemaWatch = try SchemaWatch(writer.connection, expectation)
    let place = FilePlace(path: path)
    try checkPlace(place, of: opened)
    writer.connection.place = place
    let mover = makeLogMover(place)
    writer.connection.logMover = mover
    logMover.withLock { $0 = mover }
    idle.withLock { idle in
      idle.entities = Set(entities)
      idle.place = place
      idle.expectation = expectation
    }
    return version
  }

  /// Throws if other files have taken the place of those that are open, as somebody may do in a long migration:
  /// a place is that of the files that are there.
  private func checkPlace(_ place: FilePlace?, of connections: [Connection]) throws {
    #if os(Windows)
    let isThere = true
    #else
    // A file system for tests may have no files.
    let isThere = place != nil || vfs != nil
    #endif
    if isThere && !connections.contains(where: \.hasMoved) { return }
    throw StoreError.storage(
      StorageFault(
        .replaced, "\(path): \(FilePlace.advice)", path: path, operation: "\(Activity.opening)"))
  }

  /// Waits for a sync of the log, unless the durability is `.normal`.
  public func makeDurable(_ version: Int64) throws {
    try logSync.withLock { $0 }?.sync(version)
  }

  /// Takes the file's write lock.
  public func begin() throws -> any StorageTransaction {
    try SQLiteTransaction(writer.connection, writer.log)
  }

  /// Looks whether others have written to the file, as often as `watching` says.
  public func follow(
    _ body: @escaping @Sendable (_ version: Int64) async throws -> Bool,
    failed: @escaping @Sendable (any Error) -> Void
  ) -> (any AnyObject & Sendable)? {
    guard let intervals = watching.intervals else { return nil }
    let place = idle.withLock { $0.place }
    return FileWatch(FilePoller(path: path, place, intervals, body, failed: failed))
  }

  /// Narrows the writing connection, for tests that run into its limits.
  ///
  /// - Parameters:
  ///   - milliseconds: how long it waits for others who write.
  ///   - pages: how many pages the file may have.
  ///   - logPages: how many the log may have before the commit moves it that makes it so long.
  ///   - movedPages: how many the log may have before another thread moves it; without it, none does if
  ///     `logPages` is given.
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if SQLite refuses.
  package func limit(
    waiting milliseconds: Int? = nil, pages: Int? = nil, logPages: Int? = nil,
    movedPages: Int? = nil
  ) throws {
    if let logPages {
      writer.connection.log.most = Int32(clamping: logPages)
      writer.connection.log.long = .max
    }
    if let movedPages { writer.connection.log.long = Int32(clamping: movedPages) }
    if let milliseconds { try writer.connection.execute("PRAGMA busy_timeout = \(milliseconds)") }
    if let pages { try writer.connection.execute("PRAGMA max_page_count = \(pages)") }
  }

  /// How often commits have moved the log, and how often another thread has, for tests; it is asked while
  /// nobody commits.
  package var logMoves: (byCommits: Int, beside: Int) {
    (writer.connection.log.moves, logMover.withLock { $0?.count } ?? 0)
  }

  /// Whether another thread has moved all that is in the log, for tests.
  package var isLogMoved: Bool { logMover.withLock { $0?.hasMovedAll } ?? false }

  /// How many connections wait for a read, for tests.
  package var idleConnectionCount: Int { idle.withLock { $0.connections.count } }

  /// Reads the last version through a connection of its own.
  public func read<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result {
    try withConnection { connection in
      // A read transaction begins with its first SELECT, that of the version.
      try connection.begin()
      // A fault that `body` keeps to itself may have ended it.
      defer {
        connection.isSound = connection.isSound && connection.isInTransaction
        try? connection.commit()
      }
      try connection.checkPlace()
      let reader = try SQLiteReader(connection)
      defer { reader.end() }
      return try body(reader)
    }
  }

  /// The object with an id in the last committed version, or nil.
  ///
  /// - Complexity: O(log *n*) where *n* is the number of objects.
  public func row(of entity: EntityDescription, id: StoredValue) throws -> EntityRow? {
    // A statement alone is a transaction, which sees one version.
    try withConnection { try $0.statements(of: entity).objectAlone(id) }
  }
}

extension SQLiteStorage {
  /// Runs `body` with a connection that nobody reads with, which is a new one if all are busy.
  private func withConnection<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    let connection = try idle.withLock { $0.connections.popLast() } ?? makeReader()
    defer { giveBack(connection) }
    do {
      return try body(connection)
    } catch StoreError.storage(let fault) {
      // One that has met a fault isn't used again: what it has cached may be wrong.
      connection.isSound = false
      throw StoreError.storage(connection.place?.fault(.reading) ?? fault)
    }
  }

  /// Who moves the log while others commit.
  private func makeLogMover(_ place: FilePlace?) -> LogMover {
    let (path, vfs, durability) = (path, vfs, durability)
    return LogMover(logHealth) {
      let connection = try Connection(path: path, .readWrite, vfs: vfs)
      connection.activity = .movingLog
      connection.place = place
      // It may have opened another file of that name.
      try connection.checkPlace()
      if durability == .full { try connection.syncWholly() }
      try connection.execute("PRAGMA synchronous = NORMAL")
      // The log is opened with the first read; without it nothing would be moved.
      _ = try connection.version()
      return connection
    }
  }

  /// A connection of its own for who reads long.
  func makeReader() throws -> Connection {
    let (entities, place, expectation) = idle.withLock { ($0.entities, $0.place, $0.expectation) }
    do {
      let connection = try Connection(path: path, .readOnly, vfs: vfs)
      connection.activity = .reading
      connection.known = entities
      connection.place = place
      // It may have opened another file of that name.
      try connection.checkPlace()
      if let expectation { connection.schemaWatch = try SchemaWatch(connection, expectation) }
      return connection
    } catch {
      if let fault = place?.fault(.reading) { throw StoreError.storage(fault) }
      throw error
    }
  }

  /// Keeps a connection for the next read, unless enough wait already or its transaction hasn't ended.
  private func giveBack(_ connection: Connection) {
    if connection.isInTransaction || !connection.isSound { return }
    idle.withLock { idle in
      if idle.connections.count < Self.mostIdle { idle.connections.append(connection) }
    }
  }
}

extension SQLiteStorage: CustomStringConvertible {
  /// The path of the file: `SQLiteStorage("/data/garage.db")`.
  public var description: String { "SQLiteStorage(\"\(path)\")" }
}

extension Backing {
  /// The SQLite file at `path`, which is made if it isn't there, and migrated to the schemas if it doesn't
  /// fit them.
  ///
  /// - Parameters:
  ///   - path: where the file is.
  ///   - durability: what a returned commit survives.
  ///   - watching: how it is noticed that others have written to the file.
  ///   - migrations: the named migrations, in the order in which they run.
  ///   - progress: is told of each step of a migration, on the thread that opens the store, while the
  ///     file is locked for writing. If it throws, the migration is cancelled: opening throws a fault of
  ///     the kind ``/EntityStore/StorageFault/Kind/cancelled``, and the file is as it was.
  /// - Returns: the backing.
  public static func sqlite(
    path: String, durability: Durability = .full, watching: FileWatching = .automatic,
    migrations: [Migration] = [],
    progress: (@Sendable (MigrationProgress) throws -> Void)? = nil
  ) -> Backing {
    .custom {
      try SQLiteStorage(
        path: path, durability: durability, watching: watching, migrations: migrations,
        progress: progress)
    }
  }
}
