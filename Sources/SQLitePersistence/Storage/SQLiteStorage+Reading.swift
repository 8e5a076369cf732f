public import EntityStore
internal import Locking

// Connections that read: each read has one of its own, and a few wait for the next.
extension SQLiteStorage {
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

  /// Runs `body` with a connection that nobody reads with, which is a new one if all are busy.
  private func withConnection<Result>(_ body: (StoreConnection) throws -> Result) throws -> Result {
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

  /// A connection of its own for who reads long.
  func makeReader() throws -> StoreConnection {
    let (entities, place, expectation) = idle.withLock { ($0.entities, $0.place, $0.expectation) }
    do {
      let connection = try StoreConnection(path: path, .readOnly, vfs: vfs)
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
  private func giveBack(_ connection: StoreConnection) {
    if connection.isInTransaction || !connection.isSound { return }
    idle.withLock { idle in
      if idle.connections.count < Self.mostIdle { idle.connections.append(connection) }
    }
  }
}
