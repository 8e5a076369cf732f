/// A version in memory that is kept.
final class MemorySnapshot: StorageSnapshot {
  private let memory: MemoryVersion
  private let storage: InMemoryStorage

  init(_ memory: MemoryVersion, in storage: InMemoryStorage) {
    self.memory = memory
    self.storage = storage
  }

  deinit { storage.passLock() }

  var version: Int64 { memory.number }

  func read<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result {
    try MemoryReader.read(memory, in: storage, body)
  }
}
