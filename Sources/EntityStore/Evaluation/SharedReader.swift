/// A reader that reads the object of a reference once, and makes each value of an owner's objects
/// once.
///
/// It reads one version through another reader, while expressions of many objects are evaluated.
/// Objects that refer to the same owner share what is read of it:
///
///     // Counts each owner's cars once, and not once for each car.
///     let count = CompiledExpression(ownersCarsCount, of: car)
///     for row in cars { try count.value(of: row, reading: memo) }
package final class SharedReader: StorageReader {
  private struct Table {
    var rows: [StoredValue: EntityRow?] = [:]
    /// The ids of the objects that refer to an owner, by the column of the reference.
    var referrers: [Int: [StoredValue: [StoredValue]]] = [:]
    /// The owners to which too many refer to be read ahead, by the column of the reference.
    var common: [Int: Set<StoredValue>] = [:]
    /// The number of owners in a list, by the column of the reference.
    var sizes: [Int: Int] = [:]
  }

  private let base: any StorageReader
  /// False in memory, where the base's look-up is as cheap as this reader's.
  private let keepsRows: Bool
  private var tables: [EntityDescription: Table] = [:]
  /// The values of owners, by the compiled expression that makes them.
  private var values: [ObjectIdentifier: [StoredValue: StoredValue]] = [:]
  /// The numbers of rows and of values that are kept.
  private var (rowCount, valueCount) = (0, 0)

  /// The number of values that are kept at most.
  private static let mostValues = 65_536
  /// The number of rows that are kept at most: many if they were read ahead, which is worth a round
  /// trip for each.
  private var mostRows: Int { readsAhead ? 16_384 : 1024 }

  /// Creates a reader over another one, which may have all objects in memory.
  init(over base: any StorageReader, isInMemory: Bool) {
    self.base = base
    keepsRows = !isInMemory
  }

  package var version: Int64 { base.version }

  package var readsAhead: Bool { base.readsAhead }

  package func row(of entity: EntityDescription, id: StoredValue) throws -> EntityRow? {
    if !keepsRows { return try base.row(of: entity, id: id) }
    if let known = tables[entity]?.rows[id] { return known }
    let row = try base.row(of: entity, id: id)
    keep(row, id, entity)
    return row
  }

  private func keep(_ row: EntityRow?, _ id: StoredValue, _ entity: EntityDescription) {
    if rowCount >= mostRows {
      // Objects that were read ahead are about to be asked for.
      if readsAhead { return }
      forgetRows()
    }
    rowCount += 1
    tables[entity, default: Table()].rows.updateValue(row, forKey: id)
  }

  private func forgetRows() {
    rowCount = 0
    for entity in tables.keys {
      tables[entity]?.rows = [:]
      tables[entity]?.referrers = [:]
    }
  }

  package func ids(
    of entity: EntityDescription, where columns: [Int], equal values: [StoredValue]
  ) throws -> [StoredValue] {
    if columns.count == 1, let known = tables[entity]?.referrers[columns[0]]?[values[0]] {
      return known
    }
    return try base.ids(of: entity, where: columns, equal: values)
  }

  /// Returns the value of an owner that an expression makes, or that it has made before.
  func value(
    of owner: StoredValue, madeBy expression: ObjectIdentifier, _ make: () throws -> StoredValue
  ) rethrows -> StoredValue {
    if let known = values[expression]?[owner] { return known }
    let value = try make()
    if valueCount < Self.mostValues {
      valueCount += 1
      values[expression, default: [:]][owner] = value
    }
    return value
  }

  package func fetch(_ plan: FetchPlan) throws -> [FetchedRow] { try base.fetch(plan) }

  package func rows(_ plan: FetchPlan) throws -> [EntityRow] { try base.rows(plan) }

  package func count(_ entity: EntityDescription, where filter: QueryExpression?) throws -> Int {
    try base.count(entity, where: filter)
  }

  package func wordCount(of entity: EntityDescription) throws -> Int? {
    try base.wordCount(of: entity)
  }

  // The base itself is asked for row numbers, SQL, plans and external changes.
}

// MARK: Reading ahead

// If the base reads ahead, a look-up is a round trip. Then objects are read together before they
// are asked for one by one.
extension SharedReader {
  /// The number of objects that refer to some owners and are read at once, at most.
  private static let mostReferrers = 2048

  /// The number of owners whose objects are counted one by one, at most.
  private static let fewCounts = 16

  /// Returns parts of some objects, for each of which others can be read ahead.
  package static func parts<Object>(of objects: [Object]) -> [ArraySlice<Object>] {
    stride(from: 0, to: objects.count, by: size).map {
      objects[$0..<min($0 + size, objects.count)]
    }
  }

  /// The number of objects for which others are read ahead together, at most.
  package static var size: Int { 128 }

  /// Reads the objects with some ids.
  package func readAhead(_ ids: Set<StoredValue>, of entity: EntityDescription) throws {
    if !readsAhead { return }
    let missing = ids.filter { tables[entity]?.rows[$0] == nil }
    try base.readTogether(entity, entity.identity, among: missing) { [self] rows, ids in
      var found: [StoredValue: EntityRow] = [:]
      for row in rows { found[row.id] = row }
      for id in ids { keep(found[id], id, entity) }
    }
  }

  /// Reads the objects that refer to some owners, unless there are very many.
  func readAhead(
    _ entity: EntityDescription, referringBy column: Int, to owners: Set<StoredValue>
  ) throws {
    if !readsAhead { return }
    let table = tables[entity]
    let missing = owners.filter {
      table?.referrers[column]?[$0] == nil && table?.common[column]?.contains($0) != true
    }
    if missing.count < 2 { return }
    var size = table?.sizes[column] ?? Self.mostTogether
    let common = try base.readTogether(
      entity, column, among: missing, limit: Self.mostReferrers, size: &size
    ) { [self] rows, ids in
      // The ids alone would lead to single look-ups.
      if rowCount + rows.count > mostRows { return false }
      var referrers: [StoredValue: [StoredValue]] = [:]
      for row in rows {
        referrers[row.value(at: column), default: []].append(row.id)
        keep(row, row.id, entity)
      }
      for id in ids {
        tables[entity, default: Table()].referrers[column, default: [:]][id] = referrers[id] ?? []
      }
      return true
    }
    tables[entity, default: Table()].common[column, default: []].formUnion(common)
    tables[entity, default: Table()].sizes[column] = size
  }

  /// Forgets objects if many are kept, before others are read ahead.
  func makeRoom() {
    if rowCount > mostRows / 2 { forgetRows() }
  }

  /// Returns the objects with some ids, and nil for ids without one.
  package func rows(of entity: EntityDescription, ids: [StoredValue]) throws -> [EntityRow?] {
    var found = tables[entity]?.rows ?? [:]
    if readsAhead {
      let missing = Set(ids.filter { found[$0] == nil })
      try base.readTogether(entity, entity.identity, among: missing) { rows, ids in
        for id in ids { found.updateValue(nil, forKey: id) }
        for row in rows { found.updateValue(row, forKey: row.id) }
      }
    }
    return try ids.map { try found[$0] ?? base.row(of: entity, id: $0) }
  }

  /// Returns the objects that refer to an owner, in no particular order.
  ///
  /// They are read once for each expression, and not kept: no other owner has them.
  func referrers(_ path: ManyPath, to owner: StoredValue) throws -> [EntityRow] {
    let table = tables[path.target]
    guard let ids = table?.referrers[path.column]?[owner] else {
      return try base.readReferrers(path, to: owner)
    }
    return try ids.compactMap { id in
      if let known = table?.rows[id] { return known }
      return try base.row(of: path.target, id: id)
    }
  }

  /// Reads what expressions read of other objects when they are evaluated for some rows.
  ///
  /// Objects that were read ahead for other rows may be forgotten.
  package func readAhead(_ expressions: [QueryExpression], of start: [EntityRow]) throws {
    if !readsAhead || start.count < 2 { return }
    makeRoom()
    var reached: [[ManyPath]: [EntityRow]] = [[]: start]
    func rows(at way: [ManyPath]) throws -> [EntityRow] {
      if let known = reached[way] { return known }
      guard let path = way.last else { return start }
      let owners = try follow(path.steps, from: rows(at: way.dropLast()))
      let ids = Set(owners.map(\.id))
      try readAhead(path.target, referringBy: path.column, to: ids)
      var many: [EntityRow] = []
      for id in ids {
        for each in tables[path.target]?.referrers[path.column]?[id] ?? [] {
          if let row = tables[path.target]?.rows[each] ?? nil { many.append(row) }
        }
      }
      reached[way] = many
      return many
    }
    for expression in expressions {
      for (read, way) in expression.reads {
        switch read {
        case .attributes(_, let steps): _ = try follow(steps, from: rows(at: way))
        case .referrers(let path, let areCounted):
          if areCounted {
            // Their ids are enough, unless there are many requests for these.
            let owners = try follow(path.steps, from: rows(at: way))
            if owners.count <= Self.fewCounts { break }
          }
          _ = try rows(at: way + [path])
        }
      }
    }
  }

  /// Reads the objects on the steps from some rows, and returns those at the end.
  private func follow(_ steps: [ReferenceStep], from rows: [EntityRow]) throws -> [EntityRow] {
    var rows = rows
    for step in steps {
      let ids = Set(rows.map { $0.value(at: step.column) }.filter { !$0.isNull })
      try readAhead(ids, of: step.target)
      // Nobody may ask for an object that can't be read.
      rows = ids.compactMap { tables[step.target]?.rows[$0] ?? nil }
    }
    return rows
  }
}
