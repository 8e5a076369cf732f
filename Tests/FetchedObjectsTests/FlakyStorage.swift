import EntityStore
import Locking

/// Memory that can be told to fail: with 1 open commits can't read people, with 2 nothing can be read.
final class FlakyStorage: Storage {
  struct ReadFailure: Error {}

  private let memory = InMemoryStorage()
  let isFailing = AtomicWord(0)
  /// Makes what a commit that can't read people throws.
  let failure = Locked<@Sendable () -> any Error>({ ReadFailure() })
  /// Run once, by the next read, between its choice of a version and its body.
  let interruption = Locked<(@Sendable () -> Void)?>(nil)

  func open(_ entities: [EntityDescription]) throws -> Int64 { try memory.open(entities) }

  func begin() throws -> any StorageTransaction { Transaction(try memory.begin(), self) }

  func read<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result {
    if isFailing.load() == 2 { throw ReadFailure() }
    return try memory.read { reader in
      let interrupt = interruption.withLock { $0.take() }
      interrupt?()
      return try body(reader)
    }
  }

  private final class Transaction: StorageTransaction {
    let base: any StorageTransaction
    let storage: FlakyStorage
    var isApplied = false

    init(_ base: any StorageTransaction, _ storage: FlakyStorage) {
      self.base = base
      self.storage = storage
    }

    var version: Int64 { base.version }

    func row(of entity: EntityDescription, id: StoredValue) throws -> EntityRow? {
      if isApplied && storage.isFailing.load() == 1 && entity.name == "Person" {
        throw storage.failure.withLock { $0 }()
      }
      return try base.row(of: entity, id: id)
    }

    func ids(of entity: EntityDescription, where columns: [Int], equal values: [StoredValue])
      throws -> [StoredValue]
    {
      try base.ids(of: entity, where: columns, equal: values)
    }

    func fetch(_ request: FetchPlan) throws -> [FetchedRow] { try base.fetch(request) }

    func count(_ entity: EntityDescription, where filter: QueryExpression?) throws -> Int {
      try base.count(entity, where: filter)
    }

    func rowNumber(of entity: EntityDescription, id: StoredValue) throws -> Int64? {
      try base.rowNumber(of: entity, id: id)
    }

    func rows(of entity: EntityDescription, numbered numbers: [Int64]) throws -> [EntityRow?] {
      try base.rows(of: entity, numbered: numbers)
    }

    func forEachRowNumber(
      _ request: FetchPlan, _ body: (_ number: Int64, _ values: [StoredValue]) throws -> Void
    ) throws { try base.forEachRowNumber(request, body) }

    func apply(_ changes: NetChanges) throws {
      try base.apply(changes)
      isApplied = true
    }

    func commit() throws { try base.commit() }

    func rollBack() { base.rollBack() }
  }
}
