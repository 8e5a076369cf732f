@_spi(Storage) package import EntityStore
package import Locking

/// Memory that counts what commits read of it after their bodies, and lets a test step in.
package final class ProbedStorage: Storage {
  package struct ReadFailure: Error {
    package init() {}
  }

  private let memory = InMemoryStorage()
  /// How many objects were read by those who prepare for a commit.
  package let reads = AtomicWord(0)
  /// How often they had objects counted.
  package let counts = AtomicWord(0)
  package let countsFail = AtomicWord(0)
  package let isFailing = AtomicWord(0)
  /// Run by each of these reads.
  package let whenRead = Locked<(@Sendable () -> Void)?>(nil)
  /// Run when a commit is about to be durable; it may throw.
  package let whenCommitting = Locked<(@Sendable () throws -> Void)?>(nil)

  package init() {}

  package func open(_ entities: [EntityDescription]) throws -> Int64 { try memory.open(entities) }

  package func begin() throws -> any StorageTransaction { Transaction(try memory.begin(), self) }

  package func read<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result {
    try memory.read(body)
  }

  private final class Transaction: ForwardingTransaction {
    let storage: ProbedStorage

    init(_ base: any StorageTransaction, _ storage: ProbedStorage) {
      self.storage = storage
      super.init(base)
    }

    override func row(of entity: EntityDescription, id: StoredValue) throws -> EntityRow? {
      if isApplied {
        storage.reads.add(1)
        storage.whenRead.withLock { $0 }?()
        if storage.isFailing.load() != 0 { throw ReadFailure() }
      }
      return try super.row(of: entity, id: id)
    }

    override func count(_ entity: EntityDescription, where filter: QueryExpression?) throws -> Int {
      storage.counts.add(1)
      if storage.countsFail.load() != 0 { throw ReadFailure() }
      return try super.count(entity, where: filter)
    }

    override func commit() throws {
      do {
        try storage.whenCommitting.withLock { $0 }?()
      } catch {
        rollBack()
        throw error
      }
      try super.commit()
    }
  }
}
