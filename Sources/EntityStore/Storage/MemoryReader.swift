/// Reads one version in memory.
class MemoryReader: StorageReader {
  fileprivate(set) var memory: MemoryVersion

  init(_ memory: MemoryVersion) { self.memory = memory }

  var version: Int64 { memory.number }

  func row(of entity: EntityDescription, id: StoredValue) throws -> EntityRow? {
    try memory.table(of: entity).rows[id]
  }

  func ids(of entity: EntityDescription, where columns: [Int], equal values: [StoredValue]) throws
    -> [StoredValue]
  {
    let table = try memory.table(of: entity)
    var ids: [StoredValue] = []
    if let index = MemoryVersion.keys(of: entity).firstIndex(of: columns) {
      table.indexes[index][values]?.forEach { id, _ in ids.append(id) }
    } else {
      table.rows.forEach { id, row in if row.values(at: columns) == values { ids.append(id) } }
    }
    return ids
  }

  func fetch(_ plan: FetchPlan) throws -> [FetchedRow] {
    var found: [EntityRow] = []
    try memory.table(of: plan.entity).rows.forEach { _, row in
      if let filter = plan.filter, !(try filter.evaluate(row, reading: self).isTrue) { return }
      found.append(row)
    }
    return try plan.fetched(found, reading: self)
  }

  func count(_ entity: EntityDescription, where filter: QueryExpression?) throws -> Int {
    let rows = try memory.table(of: entity).rows
    guard let filter else { return rows.count }
    var count = 0
    try rows.forEach { _, row in
      if try filter.evaluate(row, reading: self).isTrue { count += 1 }
    }
    return count
  }
}

/// A commit in memory: a version that is changed aside and then takes the place of the last one.
final class MemoryTransaction: MemoryReader, StorageTransaction {
  private let storage: InMemoryStorage

  init(_ memory: MemoryVersion, in storage: InMemoryStorage) {
    self.storage = storage
    super.init(memory)
  }

  func apply(_ changes: NetChanges) throws {
    memory.apply(changes)
    memory.number += 1
  }

  func commit() throws { storage.publish(memory) }

  func rollBack() {}
}
