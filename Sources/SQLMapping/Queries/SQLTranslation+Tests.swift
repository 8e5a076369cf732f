@_spi(Storage) package import EntityStore

extension SQLTranslation {
  /// Returns a test for a WHERE: true if the condition holds, and 0 or NULL if it doesn't.
  ///
  /// In a WHERE, NULL has the same effect as 0, also in AND and OR, but not in NOT. So a comparison
  /// is written bare, and an index can find its rows. In a COALESCE it couldn't.
  package func whereTest(_ condition: QueryExpression) -> Piece? {
    switch condition {
    case .comparison(.equal, .attribute(let path), .constant(.list(let parts)))
    where !scope.hasColumn(.attribute(path)) && !parts.contains(where: \.isNull)
      && parts.count == path.target.columns[path.column].parts.count:
      let tests = zip(scope.columns(path), parts).map { column, part in
        dialect.areEqual(Piece(sql: column), Piece(sql: "?", values: [part]))
      }
      return Self.joined(tests, by: " AND ").map { "(" + $0 + ")" }
    case .comparison(.equal, .attribute(let path), .constant(.null)) where !path.isComposite:
      return value(.attribute(path)).map { "(" + $0 + " IS NULL)" }
    case .comparison(.notEqual, .attribute(let path), .constant(.null)) where !path.isComposite:
      return value(.attribute(path)).map { "(" + $0 + " IS NOT NULL)" }
    case .comparison(.equal, let a, .constant(let b)) where !b.isNull:
      // A constant of several parts has no value in SQL.
      guard scope.hasColumn(a), let a = value(a), let b = value(.constant(b)) else {
        return zeroOrOne(condition)
      }
      return dialect.areEqual(a, b)
    case .comparison(let comparison, let a, let b):
      guard ![.equal, .notEqual].contains(comparison), let a = value(a), let b = value(b) else {
        return zeroOrOne(condition)
      }
      return "(" + a + " \(comparison.sign) " + b + ")"
    case .isIn(let item, let list):
      guard let piece = membership(item, list) else { return nil }
      return "(" + piece + ")"
    case .text(.prefix, .attribute(let path), .constant(.text(let part)), let folding)
    where folding.isEmpty && !part.utf8.isEmpty:
      return prefixTest(condition, path, part)
    case .attribute(let path) where path.isTruth:
      return broad(path).map { "(" + $0 + " = 1)" }
    case .not(.attribute(let path))
    where path.steps.isEmpty && path.isTruth && !path.target.columns[path.column].isOptional:
      return broad(path).map { "(" + $0 + " = 0)" }
    case .not(.comparison(.equal, let a, let b)): return whereTest(.comparison(.notEqual, a, b))
    case .not(.comparison(.notEqual, let a, let b)): return whereTest(.comparison(.equal, a, b))
    case .matches(let path, let pattern):
      // Bare, so that SQLite can find the rows by their numbers.
      return indexed(path, pattern) ?? zeroOrOne(condition)
    case .and(let parts): return joined(parts.map(whereTest), by: " AND ", none: "(1 = 1)")
    case .or(let parts): return joined(parts.map(whereTest), by: " OR ", none: "(1 = 0)")
    default: return zeroOrOne(condition)
    }
  }

  /// Returns the test of the start of a text, with the range in which such texts are.
  ///
  /// An index may serve the range, which is that of the bytes (S8). It serves no function.
  private func prefixTest(_ condition: QueryExpression, _ path: AttributePath, _ part: String)
    -> Piece?
  {
    guard let test = zeroOrOne(condition) else { return nil }
    // A server has no text with a NUL, but the test has bytes.
    guard QueryExpression.attribute(path).valueType == .text, dialect.canBind(.text(part)),
      let text = broad(path)
    else { return test }
    var range = text + Piece(sql: " >= ?", values: [.text(part)])
    if let end = part.endOfPrefix {
      range = range + " AND " + text + Piece(sql: " < ?", values: [.text(end)])
    }
    return "(" + range + " AND " + test + ")"
  }

  /// Returns an attribute in a condition that many rows may meet.
  ///
  /// If the first rows of an order can be read by its index, the attribute's own index isn't used.
  /// It would give all rows that meet the condition, which are then sorted.
  private func broad(_ path: AttributePath) -> Piece? {
    let attribute = value(.attribute(path))
    return ordering == nil || ordering == path ? attribute : attribute.map(dialect.withoutIndex)
  }

  /// Returns SQL that is true if a value is in a list, and NULL for nil.
  package func membership(_ item: QueryExpression, _ list: [StoredValue]) -> Piece? {
    if list.count > Self.longestList { return nil }
    if case .attribute(let path) = item, path.isComposite { return membership(of: path, list) }
    guard let item = value(item) else { return nil }
    guard let last = list.last else { return Piece(sql: "(1 = 0)") }
    let values = list + repeatElement(last, count: Self.placeCount(list.count) - list.count)
    let places = values.map { _ in "?" }.joined(separator: ", ")
    return item + Piece(sql: " IN (\(places))", values: values)
  }

  /// Returns the same of a composite id, or of a reference to an object with one.
  private func membership(of path: AttributePath, _ list: [StoredValue]) -> Piece? {
    let column = path.target.columns[path.column]
    // No id has another shape, other types, or a part that is nil.
    let rows = list.compactMap { value -> [StoredValue]? in
      guard case .list(let parts) = value, parts.count == column.parts.count,
        zip(parts, column.parts).allSatisfy({
          QueryExpression.constant($0).valueType == $1.type
        })
      else { return nil }
      return parts
    }
    guard let last = rows.last else { return Piece(sql: "(1 = 0)") }
    let count = Self.placeCount(rows.count, of: last.count)
    let all = rows + repeatElement(last, count: count - rows.count)
    let row = "(\(last.map { _ in "?" }.joined(separator: ", ")))"
    let places = repeatElement(row, count: count).joined(separator: ", ")
    return dialect.areListed(
      column.sqlColumns, of: path.target, alias: scope.alias(after: path.steps),
      in: Piece(sql: "VALUES \(places)", values: all.flatMap { $0 }))
  }

  /// Returns the number of places for a list's values, the last of which may be repeated.
  ///
  /// Each number makes another statement, and a connection keeps many of them prepared. So long
  /// lists have only a few numbers: powers of two, or thousands if these have too many parts.
  private static func placeCount(_ count: Int, of width: Int = 1) -> Int {
    if count <= 500 { return count }
    let power = 1 << (Int.bitWidth - (count - 1).leadingZeroBitCount)
    return power * width <= mostValues ? power : (count + 999) / 1000 * 1000
  }
}
