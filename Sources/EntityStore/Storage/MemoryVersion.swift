/// One version of everything in memory.
///
/// A copy is O(1), and both can go on changing.
struct MemoryVersion: Sendable {
  var number: Int64 = 0
  private let places: TablePlaces
  private var tables: ContiguousArray<MemoryTable>

  init(entities: [EntityDescription]) {
    tables = ContiguousArray(entities.map(MemoryTable.init))
    places = TablePlaces(entities)
  }

  func table(of entity: EntityDescription) throws -> MemoryTable {
    guard let place = places[entity] else { throw StoreError.unknownEntity(entity.name) }
    return tables[place]
  }

  /// The row with an id, without a copy of the table.
  func row(of entity: EntityDescription, id: StoredValue) throws -> EntityRow? {
    guard let place = places[entity] else { throw StoreError.unknownEntity(entity.name) }
    return tables[place].rows.row(id)
  }

  /// The free slots of each table.
  ///
  /// - Complexity: O(*n*), where *n* is the number of rows.
  var freeSlots: [FreeSlots] { tables.map { FreeSlots(of: $0.rows) } }

  /// Whether the changes cost no more than they are: no table has to be enlarged for them.
  func hasRoom(for changes: NetChanges) -> Bool {
    changes.tables.allSatisfy { changes in
      places[changes.entity].map { tables[$0].hasRoom(for: changes) } ?? true
    }
  }

  /// Makes the changes; `free` has the free slots of each table.
  mutating func apply(_ changes: NetChanges, _ free: inout [FreeSlots]) {
    if free.isEmpty { free = tables.map { _ in FreeSlots() } }
    for changes in changes.tables {
      guard let place = places[changes.entity] else { continue }
      tables[place].apply(changes, &free[place])
    }
    number += 1
  }
}

/// Where the table of each entity stands.
private struct TablePlaces: Sendable {
  private let types: ContiguousArray<ObjectIdentifier>
  /// Only where there are too many to look through.
  private let byType: [ObjectIdentifier: Int]

  init(_ entities: [EntityDescription]) {
    types = ContiguousArray(entities.map(\.type))
    byType = types.count > 16 ? Dictionary(uniqueKeysWithValues: zip(types, 0...)) : [:]
  }

  subscript(entity: EntityDescription) -> Int? {
    let type = entity.type
    return types.count > 16 ? byType[type] : types.firstIndex(of: type)
  }
}

/// The rows of one entity, and where to look for them.
struct MemoryTable: Sendable {
  private(set) var rows: RowTable
  /// One for each of `EntityDescription.lookupKeys`.
  private(set) var indexes: ContiguousArray<OrderedIndex>

  init(_ entity: EntityDescription) {
    rows = RowTable(entity)
    indexes = ContiguousArray(entity.lookupKeys.map { OrderedIndex($0, of: entity) })
  }

  /// The index that begins with these attributes.
  func index(of columns: [Int]) -> OrderedIndex? {
    indexes.first { $0.columns.starts(with: columns) }
  }

  /// Whether the table needn't be enlarged for the changes.
  func hasRoom(for changes: TableChanges) -> Bool {
    // Mostly there would be room even if all were new.
    rows.hasRoom(for: changes.count)
      || rows.hasRoom(for: changes.all.count { $0.old == nil && $0.new != nil })
  }

  /// Makes the changes: first everything that changes its place goes from the indexes, found by the
  /// old rows, and then it comes back, by the new ones.
  mutating func apply(_ changes: TableChanges, _ free: inout FreeSlots) {
    let indexed = indexes.indices
    // Where a large part changes, an index is made anew.
    let isRebuilt = changes.count > 64 && changes.count > rows.count / 4
    var moved: [[Int]] = indexes.map { _ in [] }
    var slots: [Int] = []
    if !indexes.isEmpty && !isRebuilt {
      for change in changes.all {
        guard let old = change.old, let slot = rows.slot(of: change.id) else { continue }
        for index in indexed
        where !(change.new?.hasSame(indexes[index].columns, as: old) ?? false) {
          indexes[index].remove(slot, rows)
          if change.new != nil { moved[index].append(slot) }
        }
      }
    }
    for change in changes.all {
      switch (rows.slot(of: change.id), change.new) {
      case (let slot?, let new?): rows.replace(slot, with: new)
      case (let slot?, nil):
        rows.remove(slot)
        free.giveBack(slot)
      case (nil, let new?):
        let slot = free.take()
        rows.insert(new, at: slot)
        slots.append(slot)
      case (nil, nil): break
      }
    }
    for index in indexed {
      if isRebuilt {
        indexes[index].rebuild(rows)
      } else {
        for slot in moved[index] + slots { indexes[index].insert(slot, rows) }
      }
    }
  }
}

extension EntityRow {
  /// Whether the attributes at `columns` are the same.
  func hasSame(_ columns: [Int], as other: EntityRow) -> Bool {
    columns.allSatisfy { isEqual(to: other, at: $0) }
  }
}
