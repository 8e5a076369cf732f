/// One version of everything in memory.
///
/// A copy is O(1), and both can go on changing.
struct MemoryVersion: Sendable {
  /// The rows of one entity, and where to look for them.
  struct Table: Sendable {
    var rows = PersistentMap<StoredValue, EntityRow>()
    /// For each indexed key, in the order of `EntityDescription.lookupKeys`: its values to the ids.
    var indexes: [PersistentMap<[StoredValue], PersistentMap<StoredValue, Bool>>]
  }

  var number: Int64 = 0
  private(set) var tables: [EntityDescription: Table] = [:]

  init(entities: [EntityDescription]) {
    for entity in entities {
      tables[entity] = Table(indexes: entity.lookupKeys.map { _ in PersistentMap() })
    }
  }

  func table(of entity: EntityDescription) throws -> Table {
    guard let table = tables[entity] else { throw StoreError.unknownEntity(entity.name) }
    return table
  }

  mutating func apply(_ changes: NetChanges) {
    for (entity, changes) in changes.tables {
      guard var table = tables[entity] else { continue }
      // Taken out while it changes, so that its nodes have one holder.
      tables[entity] = nil
      for change in changes.rows.values {
        if let new = change.new {
          table.rows.set(new, for: change.id)
        } else {
          table.rows.remove(change.id)
        }
        for (index, key) in entity.lookupKeys.enumerated() {
          let old = change.old?.values(at: key)
          let new = change.new?.values(at: key)
          guard old != new else { continue }
          if let old { table.indexes[index].removeID(change.id, at: old) }
          if let new { table.indexes[index].insertID(change.id, at: new) }
        }
      }
      tables[entity] = table
    }
  }
}

extension PersistentMap where Key == [StoredValue], Value == PersistentMap<StoredValue, Bool> {
  fileprivate mutating func insertID(_ id: StoredValue, at key: [StoredValue]) {
    guard !key.contains(where: \.isNull) else { return }
    var ids = self[key] ?? PersistentMap<StoredValue, Bool>()
    ids.set(true, for: id)
    set(ids, for: key)
  }

  fileprivate mutating func removeID(_ id: StoredValue, at key: [StoredValue]) {
    guard var ids = self[key] else { return }
    ids.remove(id)
    if ids.count == 0 { remove(key) } else { set(ids, for: key) }
  }
}
