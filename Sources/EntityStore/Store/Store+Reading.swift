internal import Locking

extension Store: StoreReading {
  /// Runs `body` with a reader that sees one version throughout: the last commit.
  ///
  /// It never waits for a commit, and inside a commit's body it shows the last commit, not the draft.
  ///
  /// - Returns: what `body` returns.
  /// - Throws: what `body` throws, or ``StoreError``.
  public func read<Result>(_ body: (borrowing Reader) throws -> Result) throws -> Result {
    try storage.read { storage in
      let session = Reader.Session(storage, self)
      defer { session.close() }
      return try body(Reader(session))
    }
  }

  /// The version of the last commit.
  public var version: Int64 {
    get throws { try storage.read { $0.version } }
  }

  /// The object with an id, or nil.
  ///
  /// - Complexity: O(1) on average in memory, O(log *n*) in a file, where *n* is the number of objects.
  @inlinable public func find<E: Entity>(_ type: E.Type, _ id: E.ID) throws -> E? {
    let schema = E.schema
    return try _row(schema.entity, schema.stored(id))?._object()
  }

  @usableFromInline func _row(_ entity: EntityDescription, _ id: StoredValue) throws -> EntityRow? {
    try storage.row(of: entity, id: id)
  }

  /// Runs `body` with a reader of the last commit.
  ///
  /// - Precondition: the reader is used inside `body` only.
  public func withStorageReader<Result>(_ body: (any StorageReader) throws -> Result) throws
    -> Result
  { try storage.read(body) }

  /// The entity with a name, or nil if it isn't among those of the store.
  public func entity(named name: String) -> EntityDescription? {
    guard let entity = entitiesByName[name], TextBytes.equal(entity.name, name) else { return nil }
    return entity
  }
}
