internal import Locking

extension Store: StoreReading {
  /// Runs `body` with a reader that sees one version throughout: the last commit.
  ///
  /// It doesn't wait for the body of a commit or for the disk. In memory it may wait while up to a
  /// hundred changes are applied. Inside a commit's body it shows the last commit, not the draft.
  ///
  /// - Returns: the result of `body`.
  /// - Throws: the error that `body` throws, or ``StoreError``.
  public func read<Result>(_ body: (borrowing Reader) throws -> Result) throws -> Result {
    try readHere { reader in
      // A storage far away chooses the version when its reader is first used.
      _ = reader.version
      return try read(through: reader, body)
    }
  }

  /// Runs `body` with a reader that asks a storage's reader.
  package func read<Result>(
    through storage: any StorageReader, _ body: (borrowing Reader) throws -> Result
  ) rethrows -> Result {
    let session = Reader.Session(storage, self)
    defer { session.close() }
    return try body(Reader(session))
  }

  /// The version of the last commit.
  ///
  /// - Throws: ``StoreError`` if the storage can't be read.
  public var version: Int64 {
    get throws { try readHere { $0.version } }
  }

  /// Returns the object with an id, or nil.
  ///
  /// - Throws: ``StoreError`` if the object can't be read.
  ///
  /// - Complexity: O(1) on average in memory, O(log *n*) in a file, where *n* is the number of
  ///   objects.
  @inlinable public func find<E: Entity>(_ type: E.Type, _ id: E.ID) throws -> E? {
    let schema = E.schema
    return try _row(schema._entity, schema.stored(id))?._object()
  }

  @usableFromInline func _row(_ entity: InlinedEntity, _ id: StoredValue) throws -> RowBox? {
    if !hasHooks && !closing.hasBegun {
      let row = try storage.row(of: entity.description, id: id)
      try checkTurn()
      return row?.box
    }
    return try reportedRow(entity.description, id)
  }

  @inline(never)
  private func reportedRow(_ entity: EntityDescription, _ id: StoredValue) throws -> RowBox? {
    try reportingRead { _ in
      let row = try storage.row(of: entity, id: id)
      try checkTurn()
      return row?.box
    }
  }

  /// Runs `body` with the storage's reader of the last commit.
  ///
  /// - Returns: the result of `body`.
  /// - Throws: the error that `body` throws, or ``StoreError``.
  ///
  /// - Precondition: the reader is used only inside `body`.
  @_spi(Storage)
  public func withStorageReader<Result>(_ body: (any StorageReader) throws -> Result) throws
    -> Result
  { try readHere(body) }

  /// Runs `body` with the storage's reader, as an operation if there are hooks.
  private func readHere<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result {
    if !hasHooks && !closing.hasBegun {
      return try storage.read { reader in
        try checkTurn()
        return try body(reader)
      }
    }
    return try reportingRead { versions in
      try storage.read { reader in
        try checkTurn()
        let result = try body(reader)
        versions = reader.version...reader.version
        return result
      }
    }
  }

  /// Throws if the store has been closed while a read waited for its turn, as on a server.
  private func checkTurn() throws {
    if closing.hasBegun && !isBusyHere { try checkOpen() }
  }

  /// Runs `body` as an operation if the store is open, or as a part of the commit that runs here.
  @inline(never)
  private func reportingRead<Result>(
    _ body: (_ versions: inout ClosedRange<Int64>?) throws -> Result
  ) throws -> Result {
    var ignored: ClosedRange<Int64>?
    // A body may go on while the store is being closed.
    if isBusyHere { return try body(&ignored) }
    return try operation(.read) { versions in
      try checkOpen()
      return try body(&versions)
    }
  }

  /// The present time by the store's clock.
  @_spi(Storage) public var instant: Double { time.now }

  /// Returns the entity with a name, or nil if the store doesn't have it.
  @_spi(Storage) public func entity(named name: String) -> EntityDescription? {
    guard let entity = entitiesByName[name], TextBytes.equal(entity.name, name) else { return nil }
    return entity
  }
}
