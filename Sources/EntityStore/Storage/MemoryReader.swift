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
    if columns == [entity.identity] {
      return table.rows[values[0]] == nil ? [] : values
    }
    if let index = entity.lookupKeys.firstIndex(of: columns) {
      table.indexes[index][values]?.forEach { id, _ in ids.append(id) }
    } else {
      table.rows.forEach { id, row in if row.values(at: columns) == values { ids.append(id) } }
    }
    return ids
  }

  func fetch(_ plan: FetchPlan) throws -> [FetchedRow] {
    var found: [EntityRow] = []
    try forEachRow(of: plan.entity, where: plan.filter) { found.append($0) }
    return try plan.fetched(found, reading: self)
  }

  func count(_ entity: EntityDescription, where filter: QueryExpression?) throws -> Int {
    if filter == nil { return try memory.table(of: entity).rows.count }
    var count = 0
    try forEachRow(of: entity, where: filter) { _ in count += 1 }
    return count
  }

  /// Goes through the rows that meet a condition, by an index where the condition names a key.
  private func forEachRow(
    of entity: EntityDescription, where filter: QueryExpression?, _ body: (EntityRow) -> Void
  ) throws {
    let rows = try memory.table(of: entity).rows
    if let filter, let key = entity.lookup(filter) {
      for id in try ids(of: entity, where: key.columns, equal: key.values) {
        if let row = rows[id], try filter.evaluate(row, reading: self).isTrue { body(row) }
      }
      return
    }
    try rows.forEach { _, row in
      if let filter, !(try filter.evaluate(row, reading: self).isTrue) { return }
      body(row)
    }
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
