@_spi(Storage) @testable import EntityStore

/// What a store should hold, kept and asked in the plainest way.
struct World: Equatable {
  /// The values of each object, by entity; the id is at the entity's `identity`.
  private(set) var objects: [EntityDescription: [[StoredValue]]] = [:]

  func rows(of entity: EntityDescription) -> [[StoredValue]] { objects[entity] ?? [] }

  func row(of entity: EntityDescription, id: StoredValue) -> [StoredValue]? {
    rows(of: entity).first { Plain.equal($0[entity.identity], id) }
  }

  mutating func set(_ row: [StoredValue], of entity: EntityDescription) {
    remove(row[entity.identity], of: entity)
    objects[entity, default: []].append(row)
  }

  mutating func remove(_ id: StoredValue, of entity: EntityDescription) {
    objects[entity, default: []].removeAll { Plain.equal($0[entity.identity], id) }
  }

  static func == (a: World, b: World) -> Bool {
    a.sortedRows().elementsEqual(b.sortedRows()) { a, b in
      a.count == b.count && zip(a, b).allSatisfy(Plain.equal)
    }
  }

  /// All rows, each with its entity's name before it, in one order.
  func sortedRows() -> [[StoredValue]] {
    objects.flatMap { entity, rows in rows.map { [.text(entity.name)] + $0 } }
      .sorted { a, b in
        for (a, b) in zip(a, b) where !Plain.equal(a, b) { return Plain.compare(a, b) < 0 }
        return false
      }
  }
}

/// Equality and order of stored forms, written once more.
enum Plain {
  static func equal(_ a: StoredValue, _ b: StoredValue) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.integer(let a), .integer(let b)): a == b
    case (.real(let a), .real(let b)): a == b
    case (.text(let a), .text(let b)): Array(a.utf8) == Array(b.utf8)
    case (.bytes(let a), .bytes(let b)): a == b
    case (.list(let a), .list(let b)): a.elementsEqual(b, by: equal)
    default: false
    }
  }

  /// The order of two values of one type, neither of them nil.
  static func compare(_ a: StoredValue, _ b: StoredValue) -> Int {
    switch (a, b) {
    case (.integer(let a), .integer(let b)): a < b ? -1 : a > b ? 1 : 0
    case (.real(let a), .real(let b)): a < b ? -1 : a > b ? 1 : 0
    case (.text(let a), .text(let b)): compare(Array(a.utf8), Array(b.utf8))
    case (.bytes(let a), .bytes(let b)): compare(a, b)
    case (.list(let a), .list(let b)):
      zip(a, b).lazy.map { compare($0, $1) }.first { $0 != 0 } ?? 0
    case (.null, .null): 0
    default: a.isNull ? -1 : 1
    }
  }

  private static func compare(_ a: [UInt8], _ b: [UInt8]) -> Int {
    a.lexicographicallyPrecedes(b) ? -1 : b.lexicographicallyPrecedes(a) ? 1 : 0
  }

  static func isTrue(_ value: StoredValue) -> Bool {
    if case .integer(let number) = value { number != 0 } else { false }
  }
}
