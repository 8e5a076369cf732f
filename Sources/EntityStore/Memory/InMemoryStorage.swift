internal import Locking

/// A storage that keeps everything in memory only.
///
///     let store = try Store(.custom { InMemoryStorage() }, entities: [Car.self])
///
/// A version is a value. So a read takes a copy in O(1), and then waits for nobody.
@_spi(Storage) public final class InMemoryStorage: Storage {
  private let current = Locked(MemoryVersion(entities: []))
  /// The free slots of each table.
  ///
  /// Only the running transaction accesses them.
  nonisolated(unsafe) private var free: [FreeSlots] = []

  /// Creates an empty storage.
  public init() {}

  /// Makes a table for each entity.
  ///
  /// - Throws: no error.
  public func open(_ entities: [EntityDescription]) throws -> Int64 {
    current.withLock { $0 = MemoryVersion(entities: entities) }
    return 0
  }

  /// Begins a commit on the last version.
  ///
  /// - Throws: no error.
  public func begin() throws -> any StorageTransaction {
    // There is one transaction at a time, and nobody else changes the version.
    MemoryTransaction(current.unsafeState, in: self)
  }

  /// Runs `body` with a reader of the last version.
  ///
  /// - Returns: the result of `body`.
  /// - Throws: the error that `body` throws.
  public func read<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result {
    try MemoryReader.read(version, in: self, body)
  }

  /// Returns the object with an id in the last version, or nil.
  ///
  /// - Throws: ``StoreError/unknownEntity(_:)`` if the storage wasn't opened with the entity.
  public func row(of entity: EntityDescription, id: StoredValue) throws -> EntityRow? {
    // This runs under the lock, because a copy of the version would cost more than the look-up.
    try current.withLock { try $0.row(of: entity, id: id) }
  }

  /// Returns the last version, which can be kept.
  ///
  /// - Throws: no error.
  public func snapshot() throws -> (any StorageSnapshot)? { MemorySnapshot(version, in: self) }

  private var version: MemoryVersion { current.withLock { $0 } }

  /// Acquires the lock and releases it, before a version is released.
  ///
  /// A writer may then find that a node has only one holder, and change it under the lock. With
  /// this call, the change comes after all reads of the node. Reference counts ensure the same, but
  /// the thread sanitizer doesn't see them.
  func passLock() { current.withLock { _ in } }

  /// Applies changes to a version that isn't published.
  func apply(_ changes: NetChanges, to version: inout MemoryVersion) {
    version.apply(changes, &free)
  }

  /// Restores the free slots of the last version, after changes that are dropped.
  func restoreFreeSlots() { free = version.freeSlots }

  func publish(_ version: MemoryVersion) {
    // The old version is released after the lock, because freeing it may take a while.
    _ = current.withLock { current in
      let old = current
      current = version
      return old
    }
  }

  /// Applies a few changes to the last version itself, and copies only what others hold.
  ///
  /// Readers wait meanwhile. So there may be only a few changes, and the tables must have room for
  /// them.
  func applyInPlace(_ changes: NetChanges) {
    current.withLock { $0.apply(changes, &free) }
  }
}
