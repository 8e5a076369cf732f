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
    var all: [Join] = []
    /// The aliases of the tables of other objects.
    var tables: [[ReferenceStep]: String] = [:]
    /// The aliases of the subqueries that make a value.
    var values: [QueryExpression: String] = [:]
    /// The steps at whose end all rows that are wanted have an object.
    var required: Set<[ReferenceStep]> = []

    func isInner(_ join: Join) -> Bool { join.steps.map { required.contains($0) } ?? false }
  }

  /// A table of other objects, or a subquery that makes a value.
  private struct Join {
    /// The steps to the other objects, or nil for a value.
    let steps: [ReferenceStep]?
    /// The SQL after the word JOIN or LATERAL.
    let piece: SQLTranslation.Piece
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
    var piece = SQLTranslation.Piece(sql: "\(dialect.table(of: entity)) AS \(alias)")
    // A LEFT JOIN keeps older versions of SQLite from beginning with the table that follows it.
    for join in joins.all where joins.isInner(join) { piece = piece + " JOIN " + join.piece }
    for join in joins.all where !joins.isInner(join) {
      piece = piece + (join.steps == nil ? " CROSS JOIN LATERAL " : " LEFT JOIN ") + join.piece
    }
    return piece
  }

  /// The parameters of the tables.
  var joinedValues: [StoredValue] { joins.all.flatMap(\.piece.values) }

  /// The same in a dialect that doesn't remember subqueries, where it has no parameters.
  package var from: String { source.sql }

  /// Steps through nil give rows of NULL.
  package func alias(after steps: [ReferenceStep]) -> String {
    guard let last = steps.last else { return alias }
    if let alias = joins.tables[steps] { return alias }
    let source = alias(after: Array(steps.dropLast()))
    guard joins.all.count < Self.mostJoins else {
      isOverfull = true
      return source
    }
    let target = names.next()
    let entity = last.target
    let link = links(
      target, entity.columns[entity.identity], source, last.source.columns[last.column])
    let sql = "\(dialect.table(of: entity)) AS \(target) ON \(link)"
    joins.all.append(Join(steps: steps, piece: SQLTranslation.Piece(sql: sql)))
    joins.tables[steps] = target
    return target
  }

  /// Notes that all rows that are wanted have an object at the end of each of some paths.
  ///
  /// An inner join gives the same rows then, and may begin with the other table.
  func require(_ paths: [[ReferenceStep]]) {
    for steps in paths {
      for place in steps.indices { joins.required.insert(Array(steps[...place])) }
    }
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
    guard joins.all.count < Self.mostJoins else {
      isOverfull = true
      return nil
    }
    guard let value = make() else { return nil }
    let alias = names.next()
    // OFFSET hides that there is one row. PostgreSQL remembers no subquery that is known to have
    // one if a condition compares its value with a column of another table.
    let piece = "(SELECT " + value + " AS value OFFSET 0) AS \(alias)"
    joins.all.append(Join(steps: nil, piece: piece))
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
