internal import EntityStore

// A row's number is its rowid. A row that is written again, because a unique key of it changes, may get
// another one, and so does one without a whole number as its id when somebody vacuums the file.
extension SQLiteReader {
  func rowNumber(of entity: EntityDescription, id: StoredValue) throws -> Int64? {
    try check()
    var number: Int64?
    let statements = try connection.statements(of: entity)
    let statement = try statements.rowNumber()
    defer { statement.reset(clearing: true) }
    try statement.bind(id: id)
    if try statement.step() { number = statement.integer(0) }
    return number
  }

  func rows(of entity: EntityDescription, numbered numbers: [Int64]) throws -> [EntityRow?] {
    try check()
    let statements = try connection.statements(of: entity)
    let statement = try statements.numberedRow()
    // One after another: a list of numbers in SQL would make a table of them first.
    return try numbers.map { number in
      defer { statement.reset(clearing: false) }
      try statement.bind(.integer(number), at: 1)
      return try statement.step() ? statements.object(statement) : nil
    }
  }

  func forEachRowNumber(
    _ plan: FetchPlan, _ body: (_ number: Int64, _ values: [StoredValue]) throws -> Void
  ) throws {
    try check()
    _ = try connection.statements(of: plan.entity)
    let walk = try SQLWalk(plan)
    try connection.query(walk.select.sql).run(walk.select.values) { statement in
      try body(statement.integer(0), walk.values(statement))
    }
  }
}
