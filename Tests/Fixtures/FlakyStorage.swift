@_spi(Storage) package import EntityStore
package import Locking

/// Memory that can be told to fail: with 1 open commits can't read people, with 2 nothing can be read.
package final class FlakyStorage: Storage {
  package struct ReadFailure: Error {
    package init() {}
  }

  private let memory = InMemoryStorage()
  /// 1 if commits can't read people, 2 if nothing can be read, 3 if commits can't fetch.
  package let isFailing = AtomicWord(0)
  /// Makes what a commit that can't read people throws.
  package let failure = Locked<@Sendable () -> any Error>({ ReadFailure() })
  /// Run once, by the next read, between its choice of a version and its body.
  package let interruption = Locked<(@Sendable () -> Void)?>(nil)

  /// The number of commits that are going to give way.
  package let conflicts = AtomicWord(0)
  package let attempts: Int

  package init(attempts: Int = 1) { self.attempts = attempts }

  package func open(_ entities: [EntityDescription]) throws -> Int64 { try memory.open(entities) }

  package func begin() throws -> any StorageTransaction { Transaction(try memory.begin(), self) }

  package func read<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result {
    if isFailing.load() == 2 { throw ReadFailure() }
    return try memory.read { reader in
      let interrupt = interruption.withLock { $0.take() }
      interrupt?()
      return try body(reader)
    }
  }

  private final class Transaction: ForwardingTransaction {
    let storage: FlakyStorage

    init(_ base: any StorageTransaction, _ storage: FlakyStorage) {
      self.storage = storage
      super.init(base)
    }

    override func apply(_ changes: NetChanges) throws {
      if storage.conflicts.load() > 0 {
        storage.conflicts.add(-1)
        throw StoreError.storage(StorageFault(.conflict, "in the way; make it again"))
      }
      try super.apply(changes)
    }

    override func fetch(_ plan: FetchPlan) throws -> [FetchedRow] {
      if isApplied && storage.isFailing.load() == 3 { throw storage.failure.withLock { $0 }() }
      return try super.fetch(plan)
    }

    override func row(of entity: EntityDescription, id: StoredValue) throws -> EntityRow? {
      if isApplied && storage.isFailing.load() == 1 && entity.name == "Person" {
        throw storage.failure.withLock { $0 }()
      }
      return try super.row(of: entity, id: id)
    }
  }
}
