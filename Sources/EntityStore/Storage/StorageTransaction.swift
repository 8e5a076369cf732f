/// A commit that is being written to a storage.
///
///     let transaction = try storage.begin()
///     try transaction.apply(changes)
///     try transaction.commit()
///
/// As a reader it shows what it has written. Until `apply(_:)`, its `version` is the one before the
/// commit. After that it is the commit's own version.
@_spi(Storage) public protocol StorageTransaction: StorageReader {
  /// Reads objects that the store is about to read.
  ///
  /// It keeps them until it is called again for the entity, or until `apply(_:)`. It is called if
  /// `readsAhead` is true.
  ///
  /// - Parameters:
  ///   - ids: the ids of the objects, some of which may not be there.
  ///   - entity: the entity of the objects.
  ///   - keepsOthers: true if nothing that was read before may be released. The commit is being
  ///     checked then, and releasing an object may run code of the app.
  /// - Throws: ``StoreError`` if reading fails.
  func readAhead(
    _ ids: [StoredValue], of entity: EntityDescription, keepsOthers: Bool
  ) throws

  /// Throws if an error has ended the commit, so that it can't be read any more.
  ///
  /// The store calls it before it answers a query from what it has read earlier. A storage may do
  /// nothing here if `apply(_:)` then throws.
  ///
  /// - Throws: ``StoreError`` if a read would.
  func check() throws

  /// Returns the highest number that has been the id of one of an entity's objects.
  ///
  /// Deleted objects count, and so do the ids kept by ``keep(lastIDs:)``. It is called for
  /// `Draft.nextID(_:)`, for entities whose ids are whole numbers.
  ///
  /// - Returns: the number, 0 if there is none, or nil if the storage doesn't keep it.
  /// - Throws: ``StoreError`` if reading fails.
  func lastID(of entity: EntityDescription) throws -> Int64?

  /// Notes the last ids that the commit was given, for `apply(_:)` to write.
  ///
  /// No commit is given these ids again.
  ///
  /// - Throws: ``StoreError/storage(_:)`` if they can't be kept.
  func keep(lastIDs: [EntityDescription: Int64]) throws

  /// Writes the net changes of the commit, which the store has validated.
  ///
  /// - Throws: ``StoreError/storage(_:)`` if writing fails.
  func apply(_ changes: NetChanges) throws

  /// Makes the commit visible to readers and, unless `makeDurable(_:)` does that, durable.
  ///
  /// - Throws: ``StoreError/outcomeUnknown(version:fault:)`` if the storage can't determine whether
  ///   it has the commit. Any other error means that it doesn't. In both cases the transaction is
  ///   over.
  func commit() throws

  /// Commits like `commit()`, for a storage that makes several commits durable at once.
  ///
  /// - Parameter othersWait: returns true if other threads wait to commit. Then
  ///   `Storage.makeDurable(_:)` can make their commits durable together with this one.
  /// - Throws: what `commit()` throws.
  func commit(othersWait: () -> Bool) throws

  /// Undoes everything, and ends the transaction.
  func rollBack()
}

@_spi(Storage) extension StorageTransaction {
  /// Does nothing, for storages whose commits no error ends.
  ///
  /// - Throws: no error.
  public func check() throws {}

  /// Does nothing, for storages whose objects are near.
  ///
  /// - Throws: no error.
  public func readAhead(
    _ ids: [StoredValue], of entity: EntityDescription, keepsOthers: Bool
  ) throws {}

  /// Commits, for storages that make each commit durable in the same way.
  ///
  /// - Throws: what `commit()` throws.
  public func commit(othersWait: () -> Bool) throws { try commit() }

  /// Returns nil, for storages that don't keep the ids.
  ///
  /// The store remembers them for as long as it lives. The next store begins with the highest id of
  /// the existing objects.
  ///
  /// - Throws: no error.
  public func lastID(of entity: EntityDescription) throws -> Int64? { nil }

  /// Does nothing, for storages that don't keep the ids.
  ///
  /// - Throws: no error.
  public func keep(lastIDs: [EntityDescription: Int64]) throws {}
}

extension StorageTransaction {
  /// Calls `body`, and rolls the transaction back if that throws.
  @inline(__always)
  package func rollingBack<Result>(_ body: () throws -> Result) rethrows -> Result {
    do { return try body() } catch {
      rollBack()
      throw error
    }
  }
}
