@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

/// The SQL of SQLite.
struct SQLiteDialect: SQLDialect {
  /// True if whole numbers have as many bits in SQL as `Int` has.
  private static let computesInt = Int.bitWidth == 64

  /// The indexes of words of the connection, or nil to look at each text.
  var search: SearchIndexes?

  func table(of entity: EntityDescription) -> String { entity.quotedName }

  func rowNumber(of entity: EntityDescription) throws -> String { try entity.rowNumberName() }

  func canBind(_ value: StoredValue) -> Bool { true }

  var mixesTypes: Bool { true }

  func hasExtremes(of type: StoredType) -> Bool { true }

  func orFalse(_ test: Piece) -> Piece { "COALESCE(" + test + ", 0)" }

  func number(ofTruth test: Piece) -> Piece { test }

  func areSame(_ a: Piece, _ b: Piece) -> Piece { "(" + a + " IS " + b + ")" }

  // Of an object behind a reference, `=` is false without the object, as SQLite knows. So it may
  // begin with that object's table. Of `IS` it doesn't know it.
  func areEqual(_ a: Piece, _ b: Piece) -> Piece { "(" + a + " = " + b + ")" }

  // SQLite takes ten rows for those that meet an equality, and has no statistics.
  func withoutIndex(_ attribute: Piece) -> Piece { "+" + attribute }

  // With `(a, b) IN (VALUES …)`, SQLite reads the whole table. It uses an index only for columns of
  // the type of the first one, and compares a row with NULL with each row of the list. So the rows
  // of the list are looked up one by one, which gives the numbers of the table's rows.
  func areListed(
    _ columns: [SQLColumn], of entity: EntityDescription, alias: String, in rows: Piece
  ) -> Piece? {
    guard let number = try? rowNumber(of: entity) else { return nil }
    let areSame = columns.enumerated()
      .map { "listed.\($1.quotedName) = given.column\($0 + 1)" }.joined(separator: " AND ")
    return "\(alias).\(number) IN (SELECT listed.\(number) FROM (" + rows
      + ") AS given CROSS JOIN \(table(of: entity)) AS listed ON \(areSame))"
  }

  func limit(_ limit: Int?, _ offset: Int) -> Piece {
    Piece(
      sql: " LIMIT ? OFFSET ?",
      values: [.integer(limit.map(Int64.init) ?? -1), .integer(Int64(offset))])
  }

  /// It compares blobs, because SQL's text functions stop at a NUL.
  func test(_ test: TextTest, _ text: Piece, _ part: String) -> Piece? {
    let length = part.utf8.count
    let blob = "CAST(" + text + " AS BLOB)"
    let sought = Piece(sql: "CAST(? AS BLOB)", values: [.text(part)])
    return switch test {
    case .whole: areSame(text, Piece(sql: "?", values: [.text(part)]))
    case .prefix: "COALESCE(substr(" + blob + ", 1, \(length)) = " + sought + ", 0)"
    case .suffix: "COALESCE(substr(" + blob + ", -\(length)) = " + sought + ", 0)"
    case .infix: "COALESCE(instr(" + blob + ", " + sought + ") > 0, 0)"
    }
  }

  /// It calls a function of the library's, because SQL folds only the letters of ASCII.
  func foldedTest(
    _ test: TextTest, _ text: Piece, _ part: String, _ folding: TextFolding
  ) -> Piece? {
    "\(Connection.textFunction)(\(test.number), \(folding.rawValue), "
      + Piece(sql: "?", values: [.text(part)]) + ", " + text + ")"
  }

  func matches(_ pattern: SearchPattern, _ columns: [String]) -> Piece? {
    "\(Connection.matchFunction)(" + Piece(sql: "?", values: [.text(pattern.description)])
      + ", \(columns.joined(separator: ", ")))"
  }

  func indexed(_ path: SearchPath, _ pattern: SearchPattern, alias: String) -> Piece? {
    guard let table = search?.table(of: path.target),
      let found = table.search(pattern, in: path.columns)
    else { return nil }
    return "\(alias).\(table.rowNumber) IN (" + found + ")"
  }

  func real(_ number: Piece) -> Piece? { "CAST(" + number + " AS REAL)" }

  func text(ofNumber number: Piece) -> Piece? { "CAST(" + number + " AS TEXT)" }

  // SQLite makes a whole number that doesn't fit a number with a fraction. Then the type of the
  // result isn't that of the first operand. The operation is in a SELECT of its own, so that it is
  // written once. Adding 0 makes 0.0 of -0.0, as in a store.
  func arithmetic(_ sign: String, _ operands: [Piece]) -> Piece? {
    // SQL doesn't know which numbers are beyond an `Int` of 32 bits.
    guard Self.computesInt else { return nil }
    return "(SELECT CASE WHEN typeof(v) = typeof(a) THEN v END FROM "
      + ("(SELECT a, (a \(sign) b) + 0 AS v FROM (SELECT " + operands[0] + " AS a, ")
      + (operands[1] + " AS b)))")
  }
}
