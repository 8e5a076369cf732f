internal import EntityStore

// A row's number is its rowid. A row that is written again, because a unique key of it changes, may get
// another one, and so does one without a whole number as its id when somebody vacuums the file.
extension SQLiteReader {
  func rowNumber(of entity: EntityDescription, id: StoredValue) throws -> Int64? {
    checkTime()
    var number: Int64?
    let statements = try connection.statements(of: entity)
    let statement = try statements.rowNumber()
    defer { statement.reset(clearing: true) }
    try statement.bind(id: id)
    if try statement.step() { number = statement.integer(0) }
    return number
  }

  func rows(of entity: EntityDescription, numbered numbers: [Int64]) throws -> [EntityRow?] {
    checkTime()
    let statements = try connection.statements(of: entity)
    var found: [Int64: EntityRow] = [:]
    var rest = numbers[...]
    while !rest.isEmpty {
      // A few sizes of statements do for all; NULL is the number of no row.
      let size = rest.count == 1 ? 1 : rest.count <= 8 ? 8 : 64
      var values = rest.prefix(size).map(StoredValue.integer)
      rest = rest.dropFirst(size)
      values += Array(repeating: .null, count: size - values.count)
      try statements.rows(numbered: size).run(values) { statement in
        found[statement.integer(0)] = try statements.object(statement, at: 1)
      }
    }
    return numbers.map { found[$0] }
  }

  func forEachRowNumber(
    _ plan: FetchPlan, _ body: (_ number: Int64, _ values: [StoredValue]) throws -> Void
  ) throws {
    checkTime()
    _ = try connection.statements(of: plan.entity)
    let walk = try SQLWalk(plan)
    try connection.query(walk.select.sql).run(walk.select.values) { statement in
      try body(statement.integer(0), walk.values(statement))
    }
  }
}
