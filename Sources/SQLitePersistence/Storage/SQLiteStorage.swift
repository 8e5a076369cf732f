public import EntityStore
internal import Locking

/// A storage in an SQLite file.
///
/// The file is the truth: nothing is loaded but what is asked for.
///
/// One connection writes; each read has one of its own, at one version, and waits neither for the
/// writer nor for other reads. The layout of the tables is made for other tools to read.
public final class SQLiteStorage: Storage {
  let path: String
  private let durability: Durability
  let vfs: String?
  private let watching: FileWatching
  private let overwritesDeleted: Bool
  private let migrations: [Migration]
  private let progress: (@Sendable (MigrationProgress) throws -> Void)?

  /// The writing connection.
  ///
  /// The store has one commit at a time, so it needs no lock.
  struct Writer: @unchecked Sendable {
    let connection: StoreConnection
    let log: ChangeLog
    let wal: WAL
  }

  /// Connections that nobody reads with.
  ///
  /// Each is used by the one thread that took it out.
  struct Idle: @unchecked Sendable {
    var connections: [StoreConnection] = []
    var entities: Set<EntityDescription> = []
    var place: FileIdentity?
    var expectation: SchemaWatch.Expectation?
    var firstMark = StorageMark()
  }

  package static let mostIdle = 4
  let writer: Writer
  let idle = Locked(Idle())
  let walSync = Locked<WALSync?>(nil)
  let walCheckpointer = Locked<WALCheckpointer?>(nil)
  private let walHealth = WALHealth()

  /// Opens the file at `path`, or makes it.
  ///
  /// The file is migrated when the store opens: what its tables lack or have otherwise than the schemas
  /// is changed, as ``Migration`` says.
  ///
  /// - Parameters:
  ///   - path: where the file is.
  ///   - durability: what a returned commit survives.
  ///   - watching: how it is noticed that others have written to the file.
  ///   - overwritesDeleted: whether what this store deletes from the file's pages is overwritten with zeros, at the
  ///     cost of more writing. The file's log keeps old values all the same, until newer commits push them out, and
  ///     so do copies: see `Store.eraseDeleted()`. If it is false, the system's SQLite decides.
  ///   - migrations: the named migrations, in the order in which they run.
  ///   - progress: is told of each step of a migration, on the thread that opens the store, while the
  ///     file is locked for writing. If it throws, the migration is cancelled: opening throws a fault of
  ///     the kind ``/EntityStore/StorageFault/Kind/cancelled``, and the file is as it was.
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if it can't be opened or isn't a database, or if `path`
  ///   names no file: it is empty, has a NUL in it, or is `:memory:` or a URL.
  /// - Precondition: the names of the migrations differ.
  public convenience init(
    path: String, durability: Durability = .full, watching: FileWatching = .automatic,
    overwritesDeleted: Bool = false, migrations: [Migration] = [],
    progress: (@Sendable (MigrationProgress) throws -> Void)? = nil
  ) throws {
    try self.init(
      path: path, durability: durability, watching: watching,
      overwritesDeleted: overwritesDeleted, log: .init(), vfs: nil, migrations: migrations,
      progress: progress)
  }

  /// The same through one of SQLite's file systems, for tests of what a disk may do.
  package convenience init(path: String, durability: Durability, vfs: String?) throws {
    try self.init(path: path, durability: durability, watching: .none, log: .init(), vfs: vfs)
  }

  /// The same with limits of the log, for tests that run into them.
  init(
    path: String, durability: Durability, watching: FileWatching,
    overwritesDeleted: Bool = false, log limits: ChangeLog.Limits,
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
    self.overwritesDeleted = overwritesDeleted
    let connection = try StoreConnection(path: path, .readWriteCreate, vfs: vfs)
    writer = Writer(
      connection: connection, log: ChangeLog(connection, limits), wal: WAL(connection, walHealth))
    self.path = connection.absolutePath
  }

  deinit {
    // The last connection that closes checkpoints, and one that only reads can't.
    idle.withLock { $0.connections = [] }
    walCheckpointer.withLock { $0.take() }?.end()
    // What another process has written through other shared memory must not be written over.
    let isShared = writer.connection.place?.sharedFault(.checkpointing) == nil
    guard walHealth.fault != nil || !isShared else { return }
    // Pages moved out of a WAL that may have holes would be the only copy.
    writer.connection.keepWAL()
    walSync.withLock { $0 }?.keepWAL()
  }

  /// Makes the tables that aren't there, migrates those that don't fit, and gives the last version.
  public func open(_ entities: [EntityDescription]) throws -> Int64 {
    // Looked at before anything is read: reading would make a WAL beside the file.
    try writer.connection.checkIsWritable()
    // Looked at before anything is changed: another program's file stays as it is.
    try SQLiteLayout.checkOwner(writer.connection)
    try writer.connection.prepareToWrite(durability)
    try writer.wal.watch()
    if overwritesDeleted { try writer.connection.execute("PRAGMA secure_delete = ON") }
    try SQLiteLayout.prepare(
      entities, writer.connection, migrations, MigrationReporter(path: path, progress))
    writer.connection.known = Set(entities)
    let version = try writer.connection.control.version()
    // Before another connection opens what is there by now, and takes this file's WAL for that one's.
    let firstPlace = makePlace()
    try checkPlace(firstPlace, of: [writer.connection])
    var opened: [Connection] = [writer.connection]
    if durability == .full {
      // From here on commits share their syncs.
      let connection = try Connection(path: path, .readWrite, vfs: vfs)
      // It may be the last that closes, which checkpoints.
      try connection.syncWholly()
      try connection.execute("PRAGMA synchronous = NORMAL")
      let sync = try WALSync(connection, walHealth)
      try writer.connection.execute("PRAGMA synchronous = NORMAL")
      writer.wal.sync = sync
      opened.append(connection)
      walSync.withLock { $0 = sync }
    }
    let expectation = SchemaWatch.Expectation(entities, migrations)
    let watch = try SchemaWatch(writer.connection, expectation)
    writer.connection.schemaWatch = watch
    let mark = try firstMark(of: version, watch)
    let place = makePlace()
    // The connections may have mapped two different files otherwise.
    try checkPlace(place == firstPlace ? place : nil, of: opened)
    writer.connection.place = place
    let checkpointer = makeCheckpointer(place)
    writer.wal.checkpointer = checkpointer
    walCheckpointer.withLock { $0 = checkpointer }
    idle.withLock { idle in
      idle.entities = Set(entities)
      idle.place = place
      idle.expectation = expectation
      idle.firstMark = mark
    }
    return version
  }

  /// The mark of the version that the file was found at; another one, if that has gone meanwhile.
  private func firstMark(of version: Int64, _ watch: SchemaWatch) throws -> StorageMark {
    let connection = writer.connection
    try connection.execute("BEGIN")
    defer { try? connection.execute("ROLLBACK") }
    try watch.check()
    return StorageMark(token: try connection.control.token(of: version) ?? 0, layout: watch.layout)
  }

  /// Checkpoints while others commit.
  private func makeCheckpointer(_ place: FileIdentity?) -> WALCheckpointer {
    let (path, vfs, durability) = (path, vfs, durability)
    return WALCheckpointer(walHealth) {
      let connection = try Connection(path: path, .readWrite, vfs: vfs)
      connection.activity = .checkpointing
      connection.place = place
      // It may have opened another file of that name.
      try connection.checkPlace()
      if durability == .full { try connection.syncWholly() }
      try connection.execute("PRAGMA synchronous = NORMAL")
      // Without it nothing would be moved.
      try connection.openWAL()
      return connection
    }
  }

  private func makePlace() -> FileIdentity? { FileIdentity(path: path, hasShared: vfs == nil) }

  /// Throws if other files have taken the place of those that are open, as somebody may do in a long migration:
  /// a place is that of the files that are there.
  private func checkPlace(_ place: FileIdentity?, of connections: [Connection]) throws {
    #if os(Windows)
    let isThere = true
    #else
    // A file system for tests may have no files.
    let isThere = place != nil || vfs != nil
    #endif
    if isThere && !connections.contains(where: \.hasMoved) { return }
    throw StoreError.storage(
      StorageFault(
        .replaced, "\(path): \(FileIdentity.advice)", path: path,
        operation: "\(ConnectionActivity.opening)"))
  }

  /// Waits for a sync of the WAL, unless the durability is `.normal`.
  public func makeDurable(_ version: Int64) throws {
    try walSync.withLock { $0 }?.sync(version)
  }

  /// Takes the file's write lock.
  public func begin() throws -> any StorageTransaction {
    try SQLiteTransaction(writer)
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
}

extension SQLiteStorage: CustomStringConvertible {
  /// The path of the file: `SQLiteStorage("/data/garage.db")`.
  public var description: String { "SQLiteStorage(\"\(path)\")" }
}
