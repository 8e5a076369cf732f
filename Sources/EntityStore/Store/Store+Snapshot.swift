internal import Locking

extension Store {
  /// A version of a store that can be kept and read at any time, from any thread.
  ///
  ///     let before = try store.snapshot()
  ///     try store.commit { try $0.delete(Car.self, 7) }
  ///     try before.find(Car.self, 7)    // still there
  ///
  /// It shares with other versions everything that is the same. Its rows are freed when nothing
  /// holds them.
  public struct Snapshot: StoreReading, Sendable {
    private let held: HeldVersion
    let store: Store

    init(_ held: HeldVersion, of store: Store) {
      self.held = held
      self.store = store
    }

    /// The version.
    public var version: Int64 { held.version }

    /// Runs `body` with the storage's reader of the version.
    ///
    /// - Returns: the result of `body`.
    /// - Throws: the error that `body` throws, or ``StoreError``.
    ///
    /// - Precondition: the reader is used only inside `body`.
    @_spi(Storage)
    public func withStorageReader<Result>(_ body: (any StorageReader) throws -> Result) throws
      -> Result
    { try held.storage.read(body) }

    /// The present time by the store's clock.
    @_spi(Storage) public var instant: Double { store.time.now }

    /// Returns the entity with a name, or nil if the store doesn't have it.
    @_spi(Storage) public func entity(named name: String) -> EntityDescription? {
      store.entity(named: name)
    }
  }
}

extension Store {
  /// Returns a snapshot of the last version.
  ///
  /// Snapshots of one version count as one.
  ///
  /// - Throws: ``StoreError/tooManyVersions(limit:)`` if ``Store/heldVersionLimit`` versions are
  ///   held, and ``StoreError/snapshotsUnsupported`` if the storage keeps only the last version, as
  ///   a file does.
  /// - Complexity: O(1)
  public func snapshot() throws -> Store.Snapshot {
    // A body may go on while the store is being closed.
    if !isBusyHere { try checkOpen() }
    guard let storage = try storage.snapshot() else { throw StoreError.snapshotsUnsupported }
    return Store.Snapshot(try heldVersions.hold(storage), of: self)
  }

  /// The number of versions that snapshots hold.
  public var heldVersionCount: Int { heldVersions.count }

  /// The number of versions that snapshots may hold at a time, or nil for no limit.
  ///
  /// It is nil at first. A lower limit doesn't affect snapshots that exist already.
  ///
  /// - Precondition: the limit isn't negative.
  public var heldVersionLimit: Int? {
    get { heldVersions.limit }
    set { heldVersions.limit = newValue }
  }
}
