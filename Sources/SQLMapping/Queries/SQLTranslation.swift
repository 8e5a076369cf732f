@_spi(Storage) package import EntityStore

/// A translation of conditions and keys into SQL with bound parameters, with the meaning of S7 and
/// S8.
package struct SQLTranslation {
  /// A piece of SQL, and the values of its parameters in order.
  package struct Piece: Sendable {
    package var sql: String
    package var values: [StoredValue]

    package init(sql: String, values: [StoredValue] = []) {
      self.sql = sql
      self.values = values
    }

    package static func + (a: Piece, b: Piece) -> Piece {
      Piece(sql: a.sql + b.sql, values: a.values + b.values)
    }

    package static func + (a: Piece, b: String) -> Piece { Piece(sql: a.sql + b, values: a.values) }
    package static func + (a: String, b: Piece) -> Piece { Piece(sql: a + b.sql, values: b.values) }
  }

  /// The largest number of a list's values in one statement.
  ///
  /// The library searches a longer list itself.
  package static let longestList = 16_384

  package let scope: SQLScope
  /// True if values of an owner's objects are joined, where the database then makes them once for
  /// all rows of the owner.
  var joinsValues = true
  /// The attribute by whose index the first rows of an order can be read, or nil.
  var ordering: AttributePath?

  package init(scope: SQLScope) { self.scope = scope }

  package var dialect: any SQLDialect { scope.dialect }

  /// Returns the value of an expression, or nil if SQL can't express it.
  package func value(_ expression: QueryExpression) -> Piece? {
    switch expression {
    case .attribute(let path): return scope.column(path).map { Piece(sql: $0) }
    case .constant(.list): return nil
    case .constant(let value): return Piece(sql: "?", values: [value])
    case .count(let path, let condition):
      return related(expression, "COUNT(", nil, path, condition)
    case .related(.least, let path, let value, let condition) where hasExtremes(of: value):
      return related(expression, "MIN(", value, path, condition)
    case .related(.greatest, let path, let value, let condition) where hasExtremes(of: value):
      return related(expression, "MAX(", value, path, condition)
    // SQLite adds in any order, and its sums of whole numbers end with an error where ours don't.
    case .related: return nil
    case .computed(let computation, let operands): return computed(computation, operands)
    // It depends on counts of all rows, which the full-text index doesn't have.
    case .rank: return nil
    default: return zeroOrOne(expression).map(dialect.number(ofTruth:))
    }
  }

  private func hasExtremes(of value: QueryExpression) -> Bool {
    value.valueType.map(dialect.hasExtremes) ?? dialect.mixesTypes
  }

  /// Returns the truth of a condition as 0 or 1, never NULL, or nil if SQL can't express it.
  package func zeroOrOne(_ condition: QueryExpression) -> Piece? {
    switch condition {
    case .attribute, .constant, .count, .related, .computed, .rank:
      return value(condition).map { dialect.orFalse($0 + " <> 0") }
    case .comparison(let comparison, .attribute(let path), .constant(let value))
    where scope.column(path) == nil:
      return composite(comparison, path, value)
    case .comparison(let comparison, let a, let b):
      guard let a = value(a), let b = value(b) else { return nil }
      return switch comparison {
      case .equal: dialect.areSame(a, b)
      case .notEqual: "(NOT " + dialect.areSame(a, b) + ")"
      default: dialect.orFalse(a + " \(comparison.sign) " + b)
      }
    // A query is pinned to an instant before it comes here.
    case .moment: return nil
    case .isIn(let item, let list):
      guard let piece = membership(item, list) else { return nil }
      return dialect.orFalse(piece)
    case .text(let test, let text, let part, let folding):
      return folding.isEmpty
        ? textTest(test, text, part) : foldedTextTest(test, text, part, folding)
    case .matches(let path, let pattern): return matches(path, pattern)
    case .and(let parts): return joined(parts.map(zeroOrOne), by: " AND ", none: "(1 = 1)")
    case .or(let parts): return joined(parts.map(zeroOrOne), by: " OR ", none: "(1 = 0)")
    case .not(let part): return zeroOrOne(part).map { "(NOT " + $0 + ")" }
    }
  }

  // `none` stands for a condition without parts. It isn't a bare number, because ORDER BY would
  // read that as the number of a column.
  package func joined(_ parts: [Piece?], by word: String, none: String) -> Piece? {
    guard parts.allSatisfy({ $0 != nil }) else { return nil }
    return Self.joined(parts.compactMap(\.self), by: word) ?? Piece(sql: none)
  }

  /// Joins the pieces in pairs, so that many of them form a low tree, as SQLite requires.
  package static func joined(_ pieces: [Piece], by word: String) -> Piece? {
    var pieces = pieces
    while pieces.count > 1 {
      pieces = stride(from: 0, to: pieces.count, by: 2).map { index in
        index + 1 < pieces.count
          ? "(" + pieces[index] + word + pieces[index + 1] + ")" : pieces[index]
      }
    }
    return pieces.first
  }

  /// Returns a test of the bytes of a text.
  private func textTest(_ test: TextTest, _ text: QueryExpression, _ part: QueryExpression)
    -> Piece?
  {
    guard case .constant(.text(let part)) = part, let text = value(text) else { return nil }
    if part.utf8.isEmpty && test != .whole { return "(" + text + " IS NOT NULL)" }
    return dialect.test(test, text, part)
  }

  private func foldedTextTest(
    _ test: TextTest, _ text: QueryExpression, _ part: QueryExpression, _ folding: TextFolding
  ) -> Piece? {
    guard case .constant(.text(let part)) = part, let text = value(text) else { return nil }
    return dialect.foldedTest(test, text, part, folding)
  }

  private func matches(_ path: SearchPath, _ pattern: SearchPattern) -> Piece? {
    if let found = indexed(path, pattern) { return dialect.orFalse(found) }
    let alias = scope.alias(after: path.steps)
    let columns = path.target.sqlColumns(of: path.columns).map { "\(alias).\($0.quotedName)" }
    return dialect.matches(pattern, columns)
  }

  /// Returns a test of the words by their index: NULL for no object, and nil without an index.
  package func indexed(_ path: SearchPath, _ pattern: SearchPattern) -> Piece? {
    dialect.indexed(path, pattern, alias: scope.alias(after: path.steps))
  }

  /// Returns a function of the objects that refer to one: of a value, or of the objects themselves.
  private func related(
    _ expression: QueryExpression, _ function: String, _ value: QueryExpression?, _ path: ManyPath,
    _ condition: QueryExpression?
  ) -> Piece? {
    let owner = scope.alias(after: path.steps)
    let ownerEntity = path.steps.last?.target ?? path.root
    let id = ownerEntity.columns[ownerEntity.identity]
    guard let last = path.steps.last, dialect.remembersSubqueries,
      joinsValues || scope.hasJoined(expression)
    else { return select(function, value, path, condition, owner, id) }
    // The value is found by the reference and not by the owner's id, since the database knows how
    // often a reference repeats.
    let source = scope.alias(after: Array(path.steps.dropLast()))
    let reference = last.source.columns[last.column]
    guard
      let column = scope.joinedColumn(
        of: expression, { select(function, value, path, condition, source, reference) })
    else { return nil }
    // A late-bound reference may name an object that isn't there.
    let isThere = "\(owner).\(id.sqlColumns[0].quotedName) IS NOT NULL"
    let none = value == nil ? "0" : "NULL"
    return Piece(sql: "(CASE WHEN \(isThere) THEN \(column) ELSE \(none) END)")
  }

  /// Returns a subquery that makes the value for the owner whose id is in a column.
  private func select(
    _ function: String, _ value: QueryExpression?, _ path: ManyPath, _ condition: QueryExpression?,
    _ owner: String, _ id: Column
  ) -> Piece? {
    let inner = scope.subscope(path.target)
    var argument = Piece(sql: "*")
    if let value {
      guard let piece = SQLTranslation(scope: inner).value(value), !inner.isOverfull else {
        return nil
      }
      argument = piece
    }
    var meets = Piece(sql: "(1 = 1)")
    if let condition {
      guard let piece = SQLTranslation(scope: inner).whereTest(condition), !inner.isOverfull else {
        return nil
      }
      meets = piece
      inner.require(condition.neededSteps)
    }
    let link = scope.links(inner.alias, path.target.columns[path.column], owner, id)
    let made = "(SELECT \(function)" + argument + ") FROM " + inner.source
    return made + " WHERE \(link) AND " + meets + ")"
  }

  /// Returns the terms of an ORDER BY, or nil if SQL can't express them.
  package func order(_ key: SortKey) -> Piece? {
    guard key.collation == .stored else { return nil }
    if case .attribute(let path) = key.expression {
      let mayBeNull = !path.steps.isEmpty || path.target.columns[path.column].isOptional
      let direction = dialect.direction(of: key, mayBeNull: mayBeNull)
      // The parts of a composite id, one after another.
      let columns = scope.wholeColumns(path).map { $0 + direction }
      return Piece(sql: columns.joined(separator: ", "))
    }
    return value(key.expression).map { $0 + dialect.direction(of: key, mayBeNull: true) }
  }

  /// Returns a comparison of a composite id with a value, part by part.
  private func composite(
    _ comparison: Comparison, _ path: AttributePath, _ value: StoredValue
  ) -> Piece? {
    guard comparison == .equal || comparison == .notEqual else { return nil }
    // A value of another shape is equal to no id.
    if !value.isNull {
      guard case .list(let parts) = value, parts.count == scope.columns(path).count,
        !parts.contains(where: \.isNull)
      else { return nil }
    }
    let values = path.target.columns[path.column].sqlValues(value)
    let tests = zip(scope.columns(path), values).map { column, value in
      dialect.areSame(Piece(sql: column), Piece(sql: "?", values: [value]))
    }
    // A reference of which another tool has left out a part is nil as a whole.
    guard let all = Self.joined(tests, by: value.isNull ? " OR " : " AND ") else { return nil }
    return comparison == .equal ? "(" + all + ")" : "(NOT (" + all + "))"
  }
}
