@_spi(Storage) package import EntityStore
package import Locking

/// Memory that counts what is read by row numbers, and lets a test step in when a commit is durable.
package final class CountedStorage: Storage {
  private let memory = InMemoryStorage()
  /// How often rows were asked for by their numbers by who isn't a commit, and how many.
  package let requests = AtomicWord(0)
  package let rows = AtomicWord(0)
  /// How many rows commits asked for by their numbers.
  package let rowsOfCommits = AtomicWord(0)
  /// How many rows the queries of commits have found.
  package let rowsFoundByCommits = AtomicWord(0)
  /// How often a reader of no commit was asked for its version before any rows.
  package let versionsFirst = AtomicWord(0)
  /// Whether readers number rows.
  package let hasNumbers: Bool
  /// Run when a commit is durable and nobody has been told.
  package let whenDurable = Locked<(@Sendable () -> Void)?>(nil)

  package init(hasNumbers: Bool = true) { self.hasNumbers = hasNumbers }

  package func open(_ entities: [EntityDescription]) throws -> Int64 { try memory.open(entities) }

  package func begin() throws -> any StorageTransaction { Transaction(try memory.begin(), self) }

  package func read<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result {
    try memory.read { try body(Reader($0, self)) }
  }

  private final class Reader: ForwardingReader {
    let storage: CountedStorage
    /// Whether it is of a commit, whose reads are counted apart.
    let isOfCommit: Bool
    private var hasRead = false

    init(_ base: any StorageReader, _ storage: CountedStorage, isOfCommit: Bool = false) {
      self.storage = storage
      self.isOfCommit = isOfCommit
      super.init(base)
    }

    override var rowNumberReader: (any RowNumberReader)? { storage.hasNumbers ? self : nil }

    override var version: Int64 {
      if !isOfCommit && !hasRead { storage.versionsFirst.add(1) }
      return super.version
    }

    override func fetch(_ request: FetchPlan) throws -> [FetchedRow] {
      let found = try super.fetch(request)
      if isOfCommit { storage.rowsFoundByCommits.add(found.count) }
      return found
    }

    override func rows(
      of entity: EntityDescription, numbered numbers: [Int64]
    ) throws -> [EntityRow?] {
      hasRead = true
      if isOfCommit {
        storage.rowsOfCommits.add(numbers.count)
      } else {
        storage.requests.add(1)
        storage.rows.add(numbers.count)
      }
      return try super.rows(of: entity, numbered: numbers)
    }
  }

  private final class Transaction: ForwardingTransaction {
    let storage: CountedStorage

    init(_ base: any StorageTransaction, _ storage: CountedStorage) {
      self.storage = storage
      super.init(base, reading: Reader(base, storage, isOfCommit: true))
    }

    override func commit() throws {
      try super.commit()
      storage.whenDurable.withLock { $0.take() }?()
    }
  }
}
