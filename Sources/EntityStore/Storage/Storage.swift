/// A storage in which a store keeps its objects.
///
///     final class MyStorage: Storage {
///       func open(_ entities: [EntityDescription]) throws -> Int64 { … }
///       func begin() throws -> any StorageTransaction { … }
///       func read<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result { … }
///     }
///     let store = try Store(.custom { MyStorage() }, entities: [Car.self])
///
/// The store makes one commit at a time. Reads may come from any thread at any time.
@_spi(Storage) public protocol Storage: AnyObject, Sendable {
  /// Makes the storage ready for `entities`, and returns its version.
  ///
  /// It is called once, before anything else.
  ///
  /// - Throws: ``StoreError/storage(_:)`` if it can't be opened or doesn't fit.
  func open(_ entities: [EntityDescription]) throws -> Int64

  /// Begins a commit; from now on nobody else writes.
  ///
  /// - Throws: ``StoreError/storage(_:)`` if the commit can't begin.
  func begin() throws -> any StorageTransaction

  /// Runs `body` with a reader that sees one version throughout, the last committed one.
  ///
  /// It doesn't wait for the body of a commit. The version may be chosen when the reader is first
  /// used. The reader isn't used after `body` has returned. A custom storage should refuse such a
  /// use.
  ///
  /// - Returns: the result of `body`.
  /// - Throws: the error that `body` throws, or ``StoreError/storage(_:)`` if the storage can't be
  ///   read.
  func read<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result

  /// Waits until a version and all versions before it are as durable as the storage promises.
  ///
  /// It is called after a transaction's `commit()` has returned, from many threads at once, while
  /// others may write. So a storage can do expensive work, such as a sync, once for all of them.
  ///
  /// - Throws: ``StoreError/outcomeUnknown(version:fault:)`` if the storage can't determine whether
  ///   the version is durable.
  func makeDurable(_ version: Int64) throws

  /// The number of times that a commit's body may run.
  ///
  /// A storage that other programs write to may force a commit to give way, with a fault of the
  /// kind `conflict`. The store undoes the commit then. If the number is greater than 1, the store
  /// makes the commit again, after a pause. A transaction that has given way must refuse each read
  /// with a storage fault. Otherwise a conflict that the body throws counts as that of another
  /// store.
  var attempts: Int { get }

  /// Returns the object with an id in the last committed version, or nil.
  ///
  /// - Throws: ``StoreError`` if reading fails.
  func row(of entity: EntityDescription, id: StoredValue) throws -> EntityRow?

  /// Returns the last committed version, which exists as long as it is held.
  ///
  /// - Returns: the version, or nil if the storage keeps no versions.
  /// - Throws: ``StoreError/storage(_:)`` if the storage can't be read.
  func snapshot() throws -> (any StorageSnapshot)?

  /// Calls `body` when somebody else may have committed, until the returned object is released.
  ///
  /// `body` merges the external commits. It is called again only after it has returned, and with no
  /// lock held. Once the returned object is deallocated, the storage doesn't call `body` any more,
  /// and has released everything that it needed for it.
  ///
  /// - Parameters:
  ///   - body: takes the last version, and returns whether there was anything new. If it throws, it
  ///     has to be called again.
  ///   - failed: takes the error that prevents the storage from noticing external commits, or the
  ///     error that `body` throws. It is called once until the error is over, and with no lock
  ///     held.
  /// - Returns: the object that keeps this running, or nil if nobody else commits or the storage
  ///   can't notice it.
  func follow(
    _ body: @escaping @Sendable (_ version: Int64) async throws -> Bool,
    failed: @escaping @Sendable (any Error) -> Void
  ) -> (any AnyObject & Sendable)?

  /// Ends the use of the storage, and releases what it holds: files, connections, threads.
  ///
  /// It is called once, when the store is closed. By then no commit is made, the object that
  /// `follow` has returned is released, and `makeDurable(_:)` has been called for the last version.
  /// It waits until the reads that are running have ended. Another read may be tried afterwards,
  /// and so may another `makeDurable(_:)` of a version that is durable.
  func close()
}

@_spi(Storage) extension Storage {
  /// The value 1, for storages that never give way.
  public var attempts: Int { 1 }

  /// Does nothing, for storages whose transactions are durable when their `commit()` returns.
  ///
  /// - Throws: no error.
  public func makeDurable(_ version: Int64) throws {}

  /// Returns the object with an id in the last committed version, or nil.
  ///
  /// - Throws: ``StoreError`` if reading fails.
  public func row(of entity: EntityDescription, id: StoredValue) throws -> EntityRow? {
    try read { try $0.row(of: entity, id: id) }
  }

  /// Returns nil, for storages that keep no versions.
  ///
  /// - Throws: no error.
  public func snapshot() throws -> (any StorageSnapshot)? { nil }

  /// Returns nil and never calls `body`, for storages that nobody else writes to.
  public func follow(
    _ body: @escaping @Sendable (_ version: Int64) async throws -> Bool,
    failed: @escaping @Sendable (any Error) -> Void
  ) -> (any AnyObject & Sendable)? { nil }

  /// Does nothing, for storages that release everything when they are deallocated.
  public func close() {}
}
