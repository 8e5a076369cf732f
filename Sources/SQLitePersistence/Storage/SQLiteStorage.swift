@_spi(Storage) public import EntityStore
internal import Locking
@_spi(Storage) internal import SQLMapping

/// A storage in an SQLite file.
///
///     let store = try Store(.custom { try SQLiteStorage(path: path) }, entities: [Dog.self])
///
/// The file is the source of truth, and only requested objects are loaded.
///
/// One connection writes. Each read has its own connection, at one version, and waits neither for
/// the writer nor for other reads. The layout of the tables is made for other tools to read.
@_spi(Storage) public final class SQLiteStorage: Storage {
  let file: DatabaseFile
  var path: String { file.path }
  let durability: Durability
  private let watching: StorageKind.FileWatching
  let overwritesDeleted: Bool
  let historyLimit: Int
  let migrations: [Migration]
  private let progress: (@Sendable (Migration.Progress) throws -> Void)?

  /// The connections that no read is using.
  ///
  /// Each is used only by the thread that took it out.
  struct Idle: @unchecked Sendable {
    var connections: [StoreConnection] = []
    var entities: Set<EntityDescription> = []
    var place: FileIdentity?
    var expectation: SchemaWatch.Expectation?
    var firstMark = StorageMark()
  }

  package static let mostIdle = 4
  /// The writing connection, until the file is closed, or nil if the storage only reads.
  ///
  /// Only the store's committing thread uses it. The compiler doesn't know that.
  nonisolated(unsafe) var openWriter: SQLiteWriter?
  let idle = Locked(Idle())
  let walSync = Locked<WALSync?>(nil)
  let walCheckpointer = Locked<WALCheckpointer?>(nil)
  let walHealth = WALHealth()
  /// The number of reads that are running, and `closed` once the file is being closed.
  let reads = AtomicWord(0)
  /// The call that ends the wait for the last read, while the file is being closed.
  let endOfReads = WakeUp()
  /// The gate of everything that locks the file once the store is open.
  let gate: FileGate

  /// Opens the file at `path`, or creates it.
  ///
  /// The file is migrated when the store opens. Tables that lack something, or differ from the
  /// schemas, are changed as ``/EntityStore/Migration`` describes.
  ///
  /// The parameters are those of `StorageKind.sqlite`.
  ///
  /// - Throws: an error of `key`; ``/EntityStore/StoreError/storage(_:)`` if the file can't be
  ///   opened or isn't a database (with the kind `wrongKey` if that may be because of the key), or
  ///   if `path` names no file: it is empty, contains a NUL, or is `:memory:` or a URL.
  /// - Precondition: the names of the migrations differ, and `busyTimeout` is from 0 to 24 days.
  public convenience init(
    path: String, access: StorageKind.FileAccess = .readWrite,
    key: (@Sendable () throws -> EncryptionKey)? = nil,
    durability: Durability = .full, watching: StorageKind.FileWatching = .automatic,
    busyTimeout: Duration = .seconds(5), overwritesDeleted: Bool = false, historyLimit: Int = 0,
    migrations: [Migration] = [],
    progress: (@Sendable (Migration.Progress) throws -> Void)? = nil
  ) throws {
    try self.init(
      path: path, access: access, key: key, durability: durability, watching: watching,
      busyTimeout: busyTimeout, overwritesDeleted: overwritesDeleted, log: .init(), vfs: nil,
      historyLimit: historyLimit,
      migrations: migrations, progress: progress)
  }

  /// Opens the file with limits of the change log, for tests that reach them, or through one of
  /// SQLite's file systems, for tests of a disk's behaviour.
  init(
    path: String, access: StorageKind.FileAccess = .readWrite,
    key: (@Sendable () throws -> EncryptionKey)? = nil, durability: Durability,
    watching: StorageKind.FileWatching, busyTimeout: Duration = .seconds(5),
    overwritesDeleted: Bool = false,
    log limits: ChangeLog.Limits, vfs: String? = nil, historyLimit: Int = 0,
    migrations: [Migration] = [],
    progress: (@Sendable (Migration.Progress) throws -> Void)? = nil
  ) throws {
    Migration.checkNames(migrations)
    mustHold(historyLimit >= 0, "A history of \(historyLimit) commits; use 0 or more")
    try StorageFault.check(path: path)
    self.historyLimit = historyLimit
    self.migrations = migrations
    self.progress = progress
    self.durability = durability
    self.watching = watching
    self.overwritesDeleted = overwritesDeleted
    var file = DatabaseFile(path, vfs: vfs)
    file.isReadOnly = access == .readOnly
    mustHold(busyTimeout >= .zero, "A busy timeout of \(busyTimeout); use 0 or more")
    mustHold(
      busyTimeout <= .milliseconds(Int64(Int32.max)),
      "A busy timeout of \(busyTimeout), which is too long; use 24 days at most")
    file.busyTimeout = busyTimeout
    if let key {
      let key = try key()
      try key.check(for: path)
      file.key = FileKey(key)
    }
    let rights = access == .readOnly ? Connection.Access.readOnly : .readWriteCreate
    var connection = try StoreConnection(file, rights)
    if connection.findLostSalt() { connection = try StoreConnection(file, rights) }
    gate = FileGate(path: connection.absolutePath)
    if access == .readWrite {
      openWriter = SQLiteWriter(connection, gate, walHealth, limits, keepsHistory: historyLimit > 0)
    }
    self.file = file.other(connection.absolutePath)
  }

  deinit { closeConnections() }

  /// The writing connection.
  ///
  /// - Precondition: the file isn't closed.
  var writer: SQLiteWriter {
    guard let openWriter else { mistake("A commit is made in a file that is closed") }
    return openWriter
  }

  /// Creates the tables that don't exist, migrates those that don't fit, and returns the last
  /// version.
  ///
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if the file can't be opened, isn't a store's
  ///   file, or can't be migrated; an error of a migration.
  public func open(_ entities: [EntityDescription]) throws -> Int64 {
    if file.isReadOnly { return try openReadOnly(entities) }
    // This is checked before anything is read: reading would create a WAL beside the file.
    try writer.connection.checkIsWritable()
    // This is checked before anything is changed: another program's file stays as it is.
    try SQLiteLayout.checkOwner(writer.connection)
    try writer.prepare(durability, overwritesDeleted: overwritesDeleted)
    try SQLiteLayout.prepare(
      entities, writer.connection, migrations, MigrationReporter(path, progress),
      keepsHistory: historyLimit > 0)
    writer.connection.known = Set(entities)
    let version = try writer.connection.control.version()
    // This comes before another connection opens the file that has the path now. That connection
    // would use this file's WAL as that file's own.
    let firstPlace = makePlace()
    try checkPlace(firstPlace, of: [writer.connection])
    var opened: [Connection] = [writer.connection]
    if durability == .full {
      // From here on commits share their syncs.
      let connection = try Connection(file, .readWrite)
      // This connection may be the last that closes, which checkpoints.
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
    // Otherwise the connections may have mapped two different files.
    try checkPlace(place == firstPlace ? place : nil, of: opened)
    writer.connection.place = place
    let checkpointer = makeCheckpointer(place)
    writer.wal.checkpointer = checkpointer
    walCheckpointer.withLock { $0 = checkpointer }
    // A migration may have made the WAL long, and perhaps nobody commits.
    writer.wal.requestCheckpoint()
    idle.withLock { idle in
      idle.entities = Set(entities)
      idle.place = place
      idle.expectation = expectation
      idle.firstMark = mark
    }
    return version
  }

  /// Returns the mark of the version at which the file was found.
  ///
  /// If that version's row has been deleted meanwhile, the mark is a different one.
  private func firstMark(of version: Int64, _ watch: SchemaWatch) throws -> StorageMark {
    let connection = writer.connection
    try connection.execute("BEGIN")
    defer { try? connection.execute("ROLLBACK") }
    try watch.check()
    return StorageMark(token: try connection.control.token(of: version) ?? 0, layout: watch.layout)
  }

  private func makeCheckpointer(_ place: FileIdentity?) -> WALCheckpointer {
    let (file, durability) = (file, durability)
    return WALCheckpointer(walHealth, gate) {
      let connection = try Connection(file, .readWrite)
      connection.activity = .checkpointing
      connection.place = place
      // The connection may have opened another file of that name.
      try connection.checkPlace()
      if durability == .full { try connection.syncWholly() }
      try connection.execute("PRAGMA synchronous = NORMAL")
      // Without this, nothing would be checkpointed.
      try connection.openWAL()
      return connection
    }
  }

  private func makePlace() -> FileIdentity? { FileIdentity(path: path, hasShared: file.vfs == nil) }

  /// Throws if other files have replaced the open ones, which may happen during a long migration.
  ///
  /// `place` is the identity of the files that exist now.
  private func checkPlace(_ place: FileIdentity?, of connections: [Connection]) throws {
    #if os(Windows)
    let isThere = true
    #else
    // A file system for tests may have no files.
    let isThere = place != nil || file.vfs != nil
    #endif
    if isThere && !connections.contains(where: \.hasMoved) { return }
    throw StoreError.fault(
      .replaced, "\(path): \(FileIdentity.advice)", path: path,
      operation: "\(ConnectionActivity.opening)")
  }

  /// Waits for a sync of the WAL, unless the durability is `.normal`.
  ///
  /// - Throws: ``/EntityStore/StoreError/outcomeUnknown(version:fault:)`` if a sync has failed.
  public func makeDurable(_ version: Int64) throws {
    try walSync.withLock { $0 }?.sync(version)
  }

  /// Takes the file's write lock.
  ///
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if the file can't be locked or read, has
  ///   been deleted, replaced or migrated, or if a sync has failed.
  public func begin() throws -> any StorageTransaction {
    try checkIsWritable(.beginning)
    return try SQLiteTransaction(writer)
  }

  /// Checks if others have written to the file, as often as `watching` requires.
  public func follow(
    _ body: @escaping @Sendable (_ version: Int64) async throws -> Bool,
    failed: @escaping @Sendable (any Error) -> Void
  ) -> (any AnyObject & Sendable)? {
    guard let intervals = watching.intervals else { return nil }
    let place = idle.withLock { $0.place }
    let poller = FilePoller(file, place, gate, intervals, body, failed: failed)
    return Watch(start: { poller.start() }, end: { poller.end() })
  }
}

@_spi(Storage) extension SQLiteStorage: CustomStringConvertible {
  /// The path of the file: `SQLiteStorage("/data/garage.db")`.
  public var description: String { "SQLiteStorage(\"\(path)\")" }
}
