/// A version of all objects in memory.
///
/// A copy is O(1). Both can then be changed.
struct MemoryVersion: Sendable {
  var number: Int64 = 0
  private let places: TablePlaces
  private var tables: ContiguousArray<MemoryTable>

  init(entities: [EntityDescription]) {
    tables = ContiguousArray(entities.map(MemoryTable.init))
    // Each commit makes a version without tables, which takes no allocation.
    places = entities.isEmpty ? .none : TablePlaces(entities)
  }

  var isEmpty: Bool { tables.isEmpty }

  func table(of entity: EntityDescription) throws -> MemoryTable {
    guard let place = places[entity] else { throw StoreError.unknownEntity(entity.name) }
    return tables[place]
  }

  /// Returns the row with an id, without a copy of the table.
  func row(of entity: EntityDescription, id: StoredValue) throws -> EntityRow? {
    guard let place = places[entity] else { throw StoreError.unknownEntity(entity.name) }
    return tables[place].rows.row(id)
  }

  /// The free slots of each table.
  ///
  /// - Complexity: O(*n*), where *n* is the number of rows.
  var freeSlots: [FreeSlots] { tables.map { FreeSlots(of: $0.rows) } }

  /// Returns true if no table has to be enlarged for the changes.
  func hasRoom(for changes: NetChanges) -> Bool {
    changes.tables.allSatisfy { changes in
      places[changes.entity].map { tables[$0].hasRoom(for: changes) } ?? true
    }
  }

  /// Applies the changes; `free` has the free slots of each table.
  mutating func apply(_ changes: NetChanges, _ free: inout [FreeSlots]) {
    if free.isEmpty { free = tables.map { _ in FreeSlots() } }
    for changes in changes.tables {
      guard let place = places[changes.entity] else { continue }
      tables[place].apply(changes, &free[place])
    }
    number += 1
  }
}

/// The position of each entity's table.
///
/// It is an object, so that a copy of a version retains one reference for it.
private final class TablePlaces: Sendable {
  static let none = TablePlaces([])

  private let types: ContiguousArray<ObjectIdentifier>
  /// The positions by type, only if there are too many to search one by one.
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

extension EntityRow {
  func hasSame(_ columns: [Int], as other: EntityRow, _ entity: EntityDescription) -> Bool {
    columns.allSatisfy { isEqual(to: other, at: $0, entity) }
  }
}
