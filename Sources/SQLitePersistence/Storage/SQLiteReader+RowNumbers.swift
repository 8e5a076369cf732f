@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

// A row's number is its rowid. If a unique key of a row changes, the row is written again and may
// get another number. A row whose id isn't a whole number may also get another one when somebody
// vacuums the file.
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
    statements.checkNotMaking()
    let statement = try statements.numberedRow()
    // The rows are read one after another. For a list of numbers, SQL would first make a table of
    // them.
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
    let walk = try SQLWalk(plan, dialect)
    try connection.checkIsInTransaction()
    try connection.query(walk.select.sql).run(walk.select.values) { statement in
      try body(statement.integer(0), walk.values(statement.value))
    }
  }
}
