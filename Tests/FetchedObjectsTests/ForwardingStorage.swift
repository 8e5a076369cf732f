import EntityStore

/// Passes on what is read; a test's storage overrides what it changes.
class ForwardingReader: StorageReader {
  let base: any StorageReader

  init(_ base: any StorageReader) { self.base = base }

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
    try base.rowNumber(of: entity, id: id)
  }

  func rows(of entity: EntityDescription, numbered numbers: [Int64]) throws -> [EntityRow?] {
    try base.rows(of: entity, numbered: numbers)
  }

  func forEachRowNumber(
    _ request: FetchPlan, _ body: (_ number: Int64, _ values: [StoredValue]) throws -> Void
  ) throws { try base.forEachRowNumber(request, body) }
}

/// Passes on a commit; a test's storage overrides what it changes.
class ForwardingTransaction: ForwardingReader, StorageTransaction {
  private let transaction: any StorageTransaction
  /// Whether its body is over, so that who reads prepares for what it brings.
  private(set) var isApplied = false

  /// Passes on a commit, and what is read of it to `reader` if there is one.
  init(_ transaction: any StorageTransaction, reading reader: (any StorageReader)? = nil) {
    self.transaction = transaction
    super.init(reader ?? transaction)
  }

  func apply(_ changes: NetChanges) throws {
    try transaction.apply(changes)
    isApplied = true
  }

  func commit() throws { try transaction.commit() }

  func rollBack() { transaction.rollBack() }
}
