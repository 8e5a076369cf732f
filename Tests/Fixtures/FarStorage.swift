@_spi(Storage) package import EntityStore
package import Locking

/// Memory that counts its requests, as a server has round trips.
package final class FarStorage: Storage {
  private let memory = InMemoryStorage()
  private let readsAhead: Bool
  /// The number of requests for objects, their ids or their number.
  package let trips = AtomicWord(0)
  /// The number of objects that were read.
  package let rows = AtomicWord(0)
  /// The largest number of objects that a commit has read ahead at once.
  package let mostAhead = AtomicWord(0)

  /// Creates a storage of which a store reads objects together, or one by one.
  package init(readsAhead: Bool = true) { self.readsAhead = readsAhead }

  package func open(_ entities: [EntityDescription]) throws -> Int64 { try memory.open(entities) }

  package func begin() throws -> any StorageTransaction {
    Transaction(try memory.begin(), self)
  }

  package func read<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result {
    try memory.read { try body(Reader($0, self)) }
  }

  private final class Reader: ForwardingReader {
    let storage: FarStorage

    init(_ base: any StorageReader, _ storage: FarStorage) {
      self.storage = storage
      super.init(base)
    }

    override var readsAhead: Bool { storage.readsAhead }

    override func row(of entity: EntityDescription, id: StoredValue) throws -> EntityRow? {
      storage.trips.add(1)
      let row = try super.row(of: entity, id: id)
      if row != nil { storage.rows.add(1) }
      return row
    }

    override func ids(
      of entity: EntityDescription, where columns: [Int], equal values: [StoredValue]
    ) throws -> [StoredValue] {
      storage.trips.add(1)
      return try super.ids(of: entity, where: columns, equal: values)
    }

    override func fetch(_ request: FetchPlan) throws -> [FetchedRow] {
      storage.trips.add(1)
      let found = try super.fetch(request)
      storage.rows.add(found.count)
      return found
    }

    override func count(_ entity: EntityDescription, where filter: QueryExpression?) throws -> Int {
      storage.trips.add(1)
      return try super.count(entity, where: filter)
    }

    override func rows(
      of entity: EntityDescription, numbered numbers: [Int64]
    ) throws -> [EntityRow?] {
      storage.trips.add(1)
      let rows = try super.rows(of: entity, numbered: numbers)
      storage.rows.add(rows.count)
      return rows
    }
  }

  /// A commit that keeps the objects that it has read by their ids, as that of a server does.
  private final class Transaction: ForwardingTransaction {
    private let storage: FarStorage
    private let memory: any StorageTransaction
    private var known: [ObjectID: EntityRow?] = [:]

    init(_ base: any StorageTransaction, _ storage: FarStorage) {
      self.storage = storage
      memory = base
      super.init(base, reading: Reader(base, storage))
    }

    override func readAhead(
      _ ids: [StoredValue], of entity: EntityDescription, keepsOthers: Bool
    ) throws {
      let missing = ids.filter { known[ObjectID(entityName: entity.name, id: $0)] == nil }
      if isApplied || missing.isEmpty { return }
      storage.trips.add(1)
      storage.mostAhead.store(max(storage.mostAhead.load(), missing.count))
      for id in missing {
        let row = try memory.row(of: entity, id: id)
        if row != nil { storage.rows.add(1) }
        known.updateValue(row, forKey: ObjectID(entityName: entity.name, id: id))
      }
    }

    override func row(of entity: EntityDescription, id: StoredValue) throws -> EntityRow? {
      if isApplied { return try super.row(of: entity, id: id) }
      let name = ObjectID(entityName: entity.name, id: id)
      if let row = known[name] { return row }
      let row = try super.row(of: entity, id: id)
      known.updateValue(row, forKey: name)
      return row
    }
  }
}
