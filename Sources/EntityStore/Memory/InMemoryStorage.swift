internal import Locking

/// A storage that keeps everything in memory, and nothing afterwards.
///
/// A version is a value, so reading takes a copy in O(1) and then waits for nobody.
public final class InMemoryStorage: Storage {
  private let current = Locked(MemoryVersion(entities: []))
  /// The free slots of each table.
  ///
  /// Only the transaction that runs touches them.
  nonisolated(unsafe) private var free: [FreeSlots] = []

  /// An empty storage.
  public init() {}

  /// Makes a table for each entity.
  public func open(_ entities: [EntityDescription]) throws -> Int64 {
    current.withLock { $0 = MemoryVersion(entities: entities) }
    return 0
  }

  /// Opens a commit on the last version.
  public func begin() throws -> any StorageTransaction {
    MemoryTransaction(version, in: self)
  }

  /// Reads the last version.
  public func read<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result {
    try MemoryReader.read(version, in: self, body)
  }

  /// The object with an id in the last version, or nil.
  public func row(of entity: EntityDescription, id: StoredValue) throws -> EntityRow? {
    // Under the lock, since a copy of the version would cost more than the look-up.
    try current.withLock { try $0.row(of: entity, id: id) }
  }

  /// The last version, which can be kept.
  public func snapshot() throws -> (any StorageSnapshot)? { MemorySnapshot(version, in: self) }

  private var version: MemoryVersion { current.withLock { $0 } }

  /// Takes the lock for nothing, before somebody lets go of a version.
  ///
  /// Who then finds that a node has one holder, and changes it under the lock, comes after whoever
  /// has read it. Reference counts say the same, but the thread sanitizer doesn't see them.
  func passLock() { current.withLock { _ in } }

  /// Makes changes to a version aside.
  func apply(_ changes: NetChanges, to version: inout MemoryVersion) {
    version.apply(changes, &free)
  }

  /// Makes the slots free that the last version leaves free, after changes that come to nothing.
  func restoreFreeSlots() { free = version.freeSlots }

  func publish(_ version: MemoryVersion) {
    // The old version goes after the lock: freeing it may take a while.
    let old = current.withLock { current in
      let old = current
      current = version
      return old
    }
    _ = old
  }

  /// Makes a few changes to the last version itself, and copies only what somebody else holds.
  ///
  /// Readers wait for so long, which is why there may only be a few, and room for them.
  func applyInPlace(_ changes: NetChanges) {
    current.withLock { $0.apply(changes, &free) }
  }
}
