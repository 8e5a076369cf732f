import EntityStore
import Locking

/// Memory that counts what is read by row numbers, and lets a test step in when a commit is durable.
final class CountedStorage: Storage {
  private let memory = InMemoryStorage()
  /// How often rows were asked for by their numbers by who isn't a commit, and how many.
  let requests = AtomicWord(0)
  let rows = AtomicWord(0)
  /// How many rows commits asked for by their numbers.
  let rowsOfCommits = AtomicWord(0)
  /// Whether readers number rows.
  let hasNumbers: Bool
  /// Run when a commit is durable and nobody has been told.
  let whenDurable = Locked<(@Sendable () -> Void)?>(nil)

  init(hasNumbers: Bool = true) { self.hasNumbers = hasNumbers }

  func open(_ entities: [EntityDescription]) throws -> Int64 { try memory.open(entities) }

  func begin() throws -> any StorageTransaction { Transaction(try memory.begin(), self) }

  func read<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result {
    try memory.read { try body(Reader($0, self)) }
  }

  private class Reader: StorageReader {
    let base: any StorageReader
    let storage: CountedStorage

    init(_ base: any StorageReader, _ storage: CountedStorage) {
      self.base = base
      self.storage = storage
    }

    var version: Int64 { base.version }

    func row(of entity: EntityDescription, id: StoredValue) throws -> EntityRow? {
      try base.row(of: entity, id: id)
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
      guard storage.hasNumbers else { throw StoreError.keepsNoRowNumbers }
      return try base.rowNumber(of: entity, id: id)
    }

    func rows(of entity: EntityDescription, numbered numbers: [Int64]) throws -> [EntityRow?] {
      storage.requests.add(1)
      storage.rows.add(numbers.count)
      return try base.rows(of: entity, numbered: numbers)
    }

    func forEachRowNumber(
      _ request: FetchPlan, _ body: (_ number: Int64, _ values: [StoredValue]) throws -> Void
    ) throws {
      guard storage.hasNumbers else { throw StoreError.keepsNoRowNumbers }
      try base.forEachRowNumber(request, body)
    }
  }

  private final class Transaction: Reader, StorageTransaction {
    private let transaction: any StorageTransaction

    init(_ transaction: any StorageTransaction, _ storage: CountedStorage) {
      self.transaction = transaction
      super.init(transaction, storage)
    }

    override func rows(
      of entity: EntityDescription, numbered numbers: [Int64]
    ) throws -> [EntityRow?] {
      storage.rowsOfCommits.add(numbers.count)
      return try base.rows(of: entity, numbered: numbers)
    }

    func apply(_ changes: NetChanges) throws { try transaction.apply(changes) }

    func commit() throws {
      try transaction.commit()
      storage.whenDurable.withLock { $0.take() }?()
    }

    func rollBack() { transaction.rollBack() }
  }
}
