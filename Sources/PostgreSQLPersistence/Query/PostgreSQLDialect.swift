#if PostgreSQL
@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

/// The SQL of PostgreSQL.
///
/// Texts have the collation "C" in all tables, so they are compared by their bytes (S8).
struct PostgreSQLDialect: SQLDialect {
  /// The schema of the store's tables.
  let schema: String

  func table(of entity: EntityDescription) -> String { own(entity.name) }

  /// Returns the name of a table in the store's schema.
  func own(_ table: String) -> String { "\(SQL.quoted(schema)).\(SQL.quoted(table))" }

  /// An id that is a whole number is its row's number.
  ///
  /// Other rows have a column for it.
  func rowNumber(of entity: EntityDescription) -> String {
    entity.columns[entity.identity].type == .integer
      ? entity.quotedColumns(of: [entity.identity]) : Self.rowNumber
  }

  /// The column with the numbers of rows whose ids aren't whole numbers.
  static let rowNumber = "signalbox_row"

  // The server can't be asked for what no value of its can be.
  func canBind(_ value: StoredValue) -> Bool { ServerText.canHave(value) }

  // The server's plan has "Memoize" where the statistics say that values repeat.
  var remembersSubqueries: Bool { true }

  var mixesTypes: Bool { false }

  // The server's MIN and MAX don't take bytes.
  func hasExtremes(of type: StoredType) -> Bool { type != .bytes }

  func orFalse(_ test: Piece) -> Piece { "COALESCE(" + test + ", FALSE)" }

  func number(ofTruth test: Piece) -> Piece { "CAST(CAST(" + test + " AS int) AS bigint)" }

  func areSame(_ a: Piece, _ b: Piece) -> Piece { "(" + a + " IS NOT DISTINCT FROM " + b + ")" }

  func areEqual(_ a: Piece, _ b: Piece) -> Piece { "(" + a + " = " + b + ")" }

  func areListed(
    _ columns: [SQLColumn], of entity: EntityDescription, alias: String, in rows: Piece
  ) -> Piece? {
    let names = columns.map { "\(alias).\($0.quotedName)" }.joined(separator: ", ")
    return "(\(names)) IN (" + rows + ")"
  }

  // An index serves only orders that say of NULL what it says, even if the column is NOT NULL. A
  // primary key and a unique key say nothing.
  func direction(of key: SortKey, mayBeNull: Bool) -> String {
    let direction = key.isAscending ? " ASC" : " DESC"
    return mayBeNull ? direction + (key.nilsFirst ? " NULLS FIRST" : " NULLS LAST") : direction
  }

  func limit(_ limit: Int?, _ offset: Int) -> Piece {
    var piece = Piece(sql: "")
    if let limit { piece = piece + Piece(sql: " LIMIT ?", values: [.integer(Int64(limit))]) }
    if offset > 0 { piece = piece + Piece(sql: " OFFSET ?", values: [.integer(Int64(offset))]) }
    return piece
  }

  /// It compares bytes, since functions of text count characters.
  func test(_ test: TextTest, _ text: Piece, _ part: String) -> Piece? {
    let length = part.utf8.count
    let bytes = "convert_to(" + text + ", 'UTF8')"
    let sought = Piece(sql: "?", values: [.bytes(Array(part.utf8))])
    return switch test {
    case .whole: areSame(text, Piece(sql: "?", values: [.text(part)]))
    case .prefix: orFalse("substring(" + bytes + " from 1 for \(length)) = " + sought)
    case .suffix:
      orFalse(
        "substring(" + bytes + " from greatest(1, octet_length(" + text
          + ") - \(length - 1))) = " + sought)
    case .infix: orFalse("position(" + sought + " in " + bytes + ") > 0")
    }
  }

  // The library folds texts by Unicode's rules, which the server's locale doesn't know.
  func foldedTest(
    _ test: TextTest, _ text: Piece, _ part: String, _ folding: TextFolding
  ) -> Piece? { nil }

  func matches(_ pattern: SearchPattern, _ columns: [String]) -> Piece? { nil }

  func indexed(_ path: SearchPath, _ pattern: SearchPattern, alias: String) -> Piece? { nil }

  func real(_ number: Piece) -> Piece? { "CAST(" + number + " AS double precision)" }

  // The two write numbers with a fraction differently.
  func text(ofNumber number: Piece) -> Piece? { nil }

  // A sum that is too large is an error here, and nil in a store.
  func arithmetic(_ sign: String, _ operands: [Piece]) -> Piece? { nil }
}

extension SQLTranslation.Piece {
  /// The SQL with numbered parameters: `$1`, `$2` and so on.
  ///
  /// A question mark in a quoted name or a text isn't a parameter.
  var numbered: String {
    var result = String.UnicodeScalarView()
    var quote: Unicode.Scalar?
    var count = 0
    // By scalars: a quote with a combining mark is a different Character, but still a quote.
    for scalar in sql.unicodeScalars {
      switch scalar {
      case "\"", "'":
        if quote == nil { quote = scalar } else if quote == scalar { quote = nil }
        result.append(scalar)
      case "?" where quote == nil:
        count += 1
        result.append(contentsOf: "$\(count)".unicodeScalars)
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
#endif
