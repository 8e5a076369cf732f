internal import Locking

/// A storage that keeps everything in memory, and nothing afterwards.
///
/// A version is a value, so reading takes a copy in O(1) and then waits for nobody.
public final class InMemoryStorage: Storage {
  private let current = Locked(MemoryVersion(entities: []))

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
    try body(MemoryReader(version))
  }

  private var version: MemoryVersion { current.withLock { $0 } }

  func publish(_ version: MemoryVersion) {
    // The old version goes after the lock: freeing it may take a while.
    let old = current.withLock { current in
      let old = current
      current = version
      return old
    }
    _ = old
  }
}
