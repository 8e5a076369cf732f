@_spi(Storage) package import EntityStore

/// A table in a FROM clause with the tables joined to it: the scope of one SELECT.
package final class SQLScope {
  package let entity: EntityDescription
  package let alias: String
  private let names: NameSource
  private var joins = Joins()
  /// SQLite accepts 64, including the first one.
  private static let mostJoins = 60
  /// True if more tables were requested than can be joined.
  ///
  /// SQL can't express the expression that requested them then.
  package private(set) var isOverfull = false

  /// The tables that are joined to the first one.
  private struct Joins {
    var piece = SQLTranslation.Piece(sql: "")
    /// The aliases of the tables of other objects.
    var tables: [[ReferenceStep]: String] = [:]
    /// The aliases of the subqueries that make a value.
    var values: [QueryExpression: String] = [:]

    var count: Int { tables.count + values.count }
  }

  /// A source of table aliases that are unique in a statement.
  package final class NameSource {
    private var count = 0
    fileprivate let dialect: any SQLDialect

    fileprivate init(_ dialect: any SQLDialect) { self.dialect = dialect }

    fileprivate func next() -> String {
      defer { count += 1 }
      return "t\(count)"
    }
  }

  package convenience init(_ entity: EntityDescription, _ dialect: any SQLDialect) {
    self.init(entity, NameSource(dialect))
  }

  private init(_ entity: EntityDescription, _ names: NameSource) {
    self.entity = entity
    self.names = names
    alias = names.next()
  }

  package var dialect: any SQLDialect { names.dialect }

  package func subscope(_ entity: EntityDescription) -> SQLScope { SQLScope(entity, names) }

  /// The tables for a FROM clause.
  package var source: SQLTranslation.Piece {
    "\(dialect.table(of: entity)) AS \(alias)" + joins.piece
  }

  /// The parameters of the tables.
  var joinedValues: [StoredValue] { joins.piece.values }

  /// The same in a dialect that doesn't remember subqueries, where it has no parameters.
  package var from: String { source.sql }

  /// Steps through nil give rows of NULL.
  package func alias(after steps: [ReferenceStep]) -> String {
    guard let last = steps.last else { return alias }
    if let alias = joins.tables[steps] { return alias }
    let source = alias(after: Array(steps.dropLast()))
    guard joins.count < Self.mostJoins else {
      isOverfull = true
      return source
    }
    let target = names.next()
    let entity = last.target
    let link = links(
      target, entity.columns[entity.identity], source, last.source.columns[last.column])
    joins.piece =
      joins.piece + " LEFT JOIN \(dialect.table(of: entity)) AS \(target) ON \(link)"
    joins.tables[steps] = target
    return target
  }

  /// True if a subquery that makes the value of an expression is joined.
  func hasJoined(_ expression: QueryExpression) -> Bool { joins.values[expression] != nil }

  /// Returns the column of a subquery that makes the value of an expression, and is joined once.
  ///
  /// `make` returns the value, which depends on tables that are joined already, or nil.
  func joinedColumn(
    of expression: QueryExpression, _ make: () -> SQLTranslation.Piece?
  ) -> String? {
    if let alias = joins.values[expression] { return "\(alias).value" }
    guard joins.count < Self.mostJoins else {
      isOverfull = true
      return nil
    }
    guard let value = make() else { return nil }
    let alias = names.next()
    // OFFSET hides that there is one row. PostgreSQL remembers no subquery that is known to have
    // one if a condition compares its value with a column of another table.
    joins.piece =
      joins.piece + " CROSS JOIN LATERAL (SELECT " + value + " AS value OFFSET 0) AS \(alias)"
    joins.values[expression] = alias
    return "\(alias).value"
  }

  /// Runs `body`, and returns its result unless a table was missing for it or it doesn't pass a
  /// test.
  ///
  /// Then nothing stays joined that `body` has joined.
  func saying(
    _ body: () -> SQLTranslation.Piece?, if isFit: (SQLTranslation.Piece) -> Bool
  ) -> SQLTranslation.Piece? {
    let before = joins
    isOverfull = false
    if let piece = body(), !isOverfull, isFit(piece) { return piece }
    joins = before
    return nil
  }

  /// Returns SQL that is true if an attribute of one table equals one of another, part by part.
  package func links(_ a: String, _ aColumn: Column, _ b: String, _ bColumn: Column) -> String {
    zip(aColumn.sqlColumns, bColumn.sqlColumns).map {
      "\(a).\($0.quotedName) = \(b).\($1.quotedName)"
    }.joined(separator: " AND ")
  }

  /// Returns the columns of an attribute, or the column of a part of it.
  package func columns(_ path: AttributePath) -> [String] {
    let alias = alias(after: path.steps)
    let columns = path.target.columns[path.column].sqlColumns
    return (path.part.map { [columns[$0]] } ?? columns).map { "\(alias).\($0.quotedName)" }
  }

  /// Returns the same columns, with NULL for all of them if one of the attribute's columns is NULL.
  ///
  /// A composite reference is nil as a whole. Another tool may have left out a part of it.
  package func wholeColumns(_ path: AttributePath) -> [String] {
    let column = path.target.columns[path.column]
    guard column.isOptional, column.type == .list, column.parts.count > 1 else {
      return columns(path)
    }
    let alias = alias(after: path.steps)
    let isNil = column.sqlColumns.map { "\(alias).\($0.quotedName) IS NULL" }
      .joined(separator: " OR ")
    return columns(path).map { "CASE WHEN \(isNil) THEN NULL ELSE \($0) END" }
  }

  /// Returns the column that has the value of an attribute, or nil for a composite id.
  ///
  /// A composite id has no such column even if it has only one part.
  package func column(_ path: AttributePath) -> String? {
    path.isComposite ? nil : wholeColumns(path)[0]
  }

  /// Returns true unless an expression is an attribute of several columns.
  func hasColumn(_ expression: QueryExpression) -> Bool {
    if case .attribute(let path) = expression { !path.isComposite } else { true }
  }
}

extension AttributePath {
  /// True for an id with parts, and for a reference to an object with such an id.
  var isComposite: Bool { part == nil && target.columns[column].type == .list }
}
