@_spi(Storage) package import EntityStore

/// Passes on what is read; a test's storage overrides what it changes.
package class ForwardingReader: RowNumberReader {
  package let base: any StorageReader
  /// Is called with the number of objects, or ids, that a read finds.
  package var didFind: (Int) -> Void = { _ in }

  package var rowNumberReader: (any RowNumberReader)? { self }

  package init(_ base: any StorageReader) { self.base = base }

  package var version: Int64 { base.version }

  package var readsAhead: Bool { base.readsAhead }

  package func row(of entity: EntityDescription, id: StoredValue) throws -> EntityRow? {
    try base.row(of: entity, id: id)
  }

  package func ids(of entity: EntityDescription, where columns: [Int], equal values: [StoredValue])
    throws -> [StoredValue]
  {
    let ids = try base.ids(of: entity, where: columns, equal: values)
    didFind(ids.count)
    return ids
  }

  package func fetch(_ request: FetchPlan) throws -> [FetchedRow] {
    let rows = try base.fetch(request)
    didFind(rows.count)
    return rows
  }

  package func count(_ entity: EntityDescription, where filter: QueryExpression?) throws -> Int {
    try base.count(entity, where: filter)
  }

  package func rowNumber(of entity: EntityDescription, id: StoredValue) throws -> Int64? {
    try base.numbered().rowNumber(of: entity, id: id)
  }

  package func rows(of entity: EntityDescription, numbered numbers: [Int64]) throws -> [EntityRow?]
  {
    try base.numbered().rows(of: entity, numbered: numbers)
  }

  package func forEachRowNumber(
    _ request: FetchPlan, _ body: (_ number: Int64, _ values: [StoredValue]) throws -> Void
  ) throws { try base.numbered().forEachRowNumber(request, body) }
}

/// Passes on a commit; a test's storage overrides what it changes.
package class ForwardingTransaction: ForwardingReader, StorageTransaction {
  private let transaction: any StorageTransaction
  /// Whether its body is over, so that who reads prepares for what it brings.
  package private(set) var isApplied = false

  /// Passes on a commit, and what is read of it to `reader` if there is one.
  package init(_ transaction: any StorageTransaction, reading reader: (any StorageReader)? = nil) {
    self.transaction = transaction
    super.init(reader ?? transaction)
  }

  package func check() throws { try transaction.check() }

  package func readAhead(
    _ ids: [StoredValue], of entity: EntityDescription, keepsOthers: Bool
  ) throws {
    try transaction.readAhead(ids, of: entity, keepsOthers: keepsOthers)
  }

  package func apply(_ changes: NetChanges) throws {
    try transaction.apply(changes)
    isApplied = true
  }

  package func commit() throws { try transaction.commit() }

  package func rollBack() { transaction.rollBack() }
}
