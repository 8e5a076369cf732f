internal import EntityStore

/// A table in a FROM clause with what is joined to it: the world of one SELECT.
final class SQLScope {
  let entity: EntityDescription
  let alias: String
  private let names: NameSource
  private var joined: [[ReferenceStep]: String] = [:]
  private(set) var joins = ""
  /// The most tables that are joined, of which SQLite takes 64 with the first one.
  private static let mostJoins = 60
  /// Whether more tables were asked for than are joined; what asked for them can't be said then.
  private(set) var isOverfull = false

  /// Hands out table aliases that are unique in a statement.
  final class NameSource {
    private var count = 0

    func next() -> String {
      defer { count += 1 }
      return "t\(count)"
    }
  }

  init(_ entity: EntityDescription, _ names: NameSource = NameSource()) {
    self.entity = entity
    self.names = names
    alias = names.next()
  }

  func subscope(_ entity: EntityDescription) -> SQLScope { SQLScope(entity, names) }

  var from: String { "\(entity.quotedName) AS \(alias)\(joins)" }

  /// The alias of the table at the end of `steps`.
  ///
  /// Steps through nil give rows of NULL.
  func alias(after steps: [ReferenceStep]) -> String {
    guard let last = steps.last else { return alias }
    if let alias = joined[steps] { return alias }
    let source = alias(after: Array(steps.dropLast()))
    guard joined.count < Self.mostJoins else {
      isOverfull = true
      return source
    }
    let target = names.next()
    let entity = last.target
    let link = links(
      target, entity.columns[entity.identity], source, last.source.columns[last.column])
    joins += " LEFT JOIN \(entity.quotedName) AS \(target) ON \(link)"
    joined[steps] = target
    return target
  }

  /// Runs `body`, and gives what it does if no table was missing for it.
  func saying(_ body: () -> SQLTranslation.Piece?) -> SQLTranslation.Piece? {
    isOverfull = false
    let piece = body()
    return isOverfull ? nil : piece
  }

  /// That an attribute of one table is an attribute of another, part by part.
  func links(_ a: String, _ aColumn: Column, _ b: String, _ bColumn: Column) -> String {
    zip(aColumn.sqlColumns, bColumn.sqlColumns).map {
      "\(a).\($0.quotedName) = \(b).\($1.quotedName)"
    }.joined(separator: " AND ")
  }

  /// The columns of an attribute, or the one of a part of it.
  func columns(_ path: AttributePath) -> [String] {
    let alias = alias(after: path.steps)
    let columns = path.target.columns[path.column].sqlColumns
    return (path.part.map { [columns[$0]] } ?? columns).map { "\(alias).\($0.quotedName)" }
  }

  /// The same, and NULL where any of the attribute's columns is, since a reference is nil as a whole.
  ///
  /// Another tool may have left a part of it out.
  func wholeColumns(_ path: AttributePath) -> [String] {
    let column = path.target.columns[path.column]
    guard column.isOptional, column.type == .list, column.parts.count > 1 else {
      return columns(path)
    }
    let alias = alias(after: path.steps)
    let isNil = column.sqlColumns.map { "\(alias).\($0.quotedName) IS NULL" }
      .joined(separator: " OR ")
    return columns(path).map { "CASE WHEN \(isNil) THEN NULL ELSE \($0) END" }
  }

  /// The column that has the value of an attribute; a composite id has none, also if it is of one part.
  func column(_ path: AttributePath) -> String? {
    if path.part == nil && path.target.columns[path.column].type == .list { return nil }
    return wholeColumns(path)[0]
  }
}
