@_spi(Storage) public import EntityStore
internal import Locking
internal import SQLiteLibrary

// Each read has its own connection. A few connections are kept for the next reads.
extension SQLiteStorage {
  /// Reads the last version through a separate connection.
  ///
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if the file can't be read; an error of
  ///   `body`.
  public func read<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result {
    try withConnection { connection, hasBegun in
      // A read transaction begins with its first SELECT, which reads the version.
      try connection.begin()
      // An error that `body` has ignored may have ended the transaction.
      defer {
        connection.isSound = connection.isSound && connection.isInTransaction
        try? connection.commit()
      }
      try connection.checkPlace()
      let reader = try SQLiteReader(connection)
      defer { reader.end() }
      hasBegun = true
      return try body(reader)
    }
  }

  /// Returns the object with an id in the last committed version, or nil.
  ///
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if the file can't be read;
  ///   ``/EntityStore/StoreError/unknownEntity(_:)``;
  ///   ``/EntityStore/StoreError/unreadable(_:attribute:found:)``.
  /// - Complexity: O(log *n*) where *n* is the number of objects.
  public func row(of entity: EntityDescription, id: StoredValue) throws -> EntityRow? {
    // A single statement is a transaction, which sees one version.
    try withConnection { connection, _ in
      try connection.statements(of: entity).objectAlone(id)
    }
  }

  /// Runs `body` with a connection that no other read uses, which is a new one if all are busy.
  ///
  /// If the file's key is changed just before, `body` runs again, unless it has set `hasBegun`.
  private func withConnection<Result>(
    _ body: (StoreConnection, _ hasBegun: inout Bool) throws -> Result
  ) throws -> Result {
    try beginReading()
    defer { endReading() }
    // The clock is read only if there is something to wait for.
    var end: ContinuousClock.Instant?
    while true {
      let known = takeIdle()
      let connection = try known ?? makeReader()
      defer { giveBack(connection) }
      var hasBegun = false
      do {
        return try body(connection, &hasBegun)
      } catch StoreError.storage(let fault) {
        // A connection that has met a fault isn't used again, because its cache may be wrong.
        connection.isSound = false
        if !hasBegun, fault.kind == .wrongKey,
          file.key?.hasChanged(since: connection.keyNumber) ?? false
        {
          continue
        }
        if !hasBegun, file.isReadOnly, fault.kind == .busy {
          // A writer may have come and left since the connection was used, and the other idle ones.
          if known != nil {
            end = end ?? .now + file.busyTimeout
            closeIdle()
            continue
          }
          // Another process may have opened the file at this moment.
          let limit = end ?? .now + file.busyTimeout
          end = limit
          if .now < limit {
            sqlite3_sleep(2)
            continue
          }
        }
        throw StoreError.storage(connection.place?.fault(.reading) ?? fault)
      }
    }
  }

  /// Closes the connections that no read is using.
  func closeIdle() {
    let dropped = idle.withLock { idle in
      defer { idle.connections = [] }
      return idle.connections
    }
    withExtendedLifetime(dropped) {}
  }

  private func takeIdle() -> StoreConnection? {
    while let connection = idle.withLock({ $0.connections.popLast() }) {
      if !connection.hasWriterCome { return connection }
    }
    return nil
  }

  /// Creates a separate connection for a long read.
  func makeReader() throws -> StoreConnection {
    while true {
      let number = file.key?.numbered.number
      do {
        // Another process may be just opening or closing the file.
        return try file.isReadOnly ? file.waiting(openReader) : openReader()
      } catch StoreError.storage(let fault) where fault.kind == .wrongKey {
        guard let key = file.key, let number, key.hasChanged(since: number) else {
          throw StoreError.storage(fault)
        }
      }
    }
  }

  private func openReader() throws -> StoreConnection {
    let (entities, place, expectation) = idle.withLock { ($0.entities, $0.place, $0.expectation) }
    do {
      let connection = try StoreConnection(file, .readOnly)
      connection.activity = .reading
      connection.gate = gate
      connection.known = entities
      connection.place = place
      if file.isReadOnly {
        try connection.openWAL()
        // From here on the connection keeps others from deleting the WAL.
        if connection.walFile != nil { connection.place = FileIdentity(path: path) }
        if let place, let fault = place.fault(.reading) { throw StoreError.storage(fault) }
      }
      // The connection may have opened another file of that name.
      try connection.checkPlace()
      if let expectation { connection.schemaWatch = try SchemaWatch(connection, expectation) }
      return connection
    } catch {
      if let fault = place?.fault(.reading) { throw StoreError.storage(fault) }
      throw error
    }
  }

  /// Keeps a connection for the next read, unless enough are kept or its transaction hasn't ended.
  private func giveBack(_ connection: StoreConnection) {
    if connection.isInTransaction || !connection.isSound || connection.hasOldKey { return }
    idle.withLock { idle in
      if idle.connections.count < Self.mostIdle { idle.connections.append(connection) }
    }
  }
}
