@_spi(Storage) package import EntityStore
package import Locking

/// Memory that lets a test step in before a version is chosen to be read, and once a commit can be read.
package final class GatedStorage: Storage {
  private let memory = InMemoryStorage()
  /// Each is run once.
  package let whenReading = Locked<(@Sendable () -> Void)?>(nil)
  package let whenReadable = Locked<(@Sendable () -> Void)?>(nil)

  package init() {}

  package func open(_ entities: [EntityDescription]) throws -> Int64 { try memory.open(entities) }

  package func begin() throws -> any StorageTransaction { Transaction(try memory.begin(), self) }

  package func read<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result {
    whenReading.withLock { $0.take() }?()
    return try memory.read(body)
  }

  private final class Transaction: ForwardingTransaction {
    let storage: GatedStorage

    init(_ base: any StorageTransaction, _ storage: GatedStorage) {
      self.storage = storage
      super.init(base)
    }

    override func commit() throws {
      try super.commit()
      storage.whenReadable.withLock { $0.take() }?()
    }
  }
}
