#if PostgreSQL
@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

// A row keeps its number for as long as it exists.
extension ServerReader: RowNumberReader {
  func rowNumber(of entity: EntityDescription, id: StoredValue) throws -> Int64? {
    let statements = try statements(of: entity)
    guard statements.canHave(id) else { return nil }
    let found = try connection.run(
      statements.number, UnsafeParameters(entity.sqlValues([id], of: [entity.identity])))
    return found.rowCount == 0 ? nil : found.integer(0, 0)
  }

  func rowNumbers(of entity: EntityDescription, ids: [StoredValue]) throws -> [Int64?] {
    // The server plans a statement with arrays each time.
    if ids.count < 2 { return try ids.map { try rowNumber(of: entity, id: $0) } }
    let statements = try statements(of: entity)
    let possible = ids.filter(statements.canHave)
    var numbers = [StoredValue: Int64](minimumCapacity: possible.count)
    for part in RowSlices.slices(of: possible) {
      let found = try connection.run(statements.numbers, statements.idArrays(part))
      for row in 0..<found.rowCount {
        numbers[statements.idShape.values { found.value(row, $0 + 1) }[0]] = found.integer(row, 0)
      }
    }
    return ids.map { numbers[$0] }
  }

  func rows(of entity: EntityDescription, numbered numbers: [Int64]) throws -> [EntityRow?] {
    let statements = try statements(of: entity)
    var parameters = UnsafeParameters()
    parameters.append(.bigint, count: numbers.count) { add in
      for number in numbers { add(.integer(number)) }
    }
    let found = try connection.run(statements.numberedRows, parameters)
    var places = [Int64: Int](minimumCapacity: found.rowCount)
    for place in 0..<found.rowCount { places[found.integer(place, 0)] = place }
    return try numbers.map { number in
      try places[number].map { try statements.object(found, $0, from: 1) }
    }
  }

  func forEachRowNumber(
    _ plan: FetchPlan, _ body: (_ number: Int64, _ values: [StoredValue]) throws -> Void
  ) throws {
    _ = try statements(of: plan.entity)
    let walk = try SQLWalk(plan, dialect)
    try connection.forEachRow(of: walk.select) { found, place in
      try body(found.integer(place, 0), walk.values { found.value(place, $0) })
    }
  }
}
#endif
