@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

/// A check that the rows and the columns of a file's table allow a change.
struct RowChecks: RowChecking {
  let change: TableChange
  let shape: TableShape
  let connection: Connection

  var place: String { connection.path }

  var future: SQLTranslation.Piece {
    let expressions = change.sources.map { ($0.column.quotedName, $0.expression) }
    let list = expressions.map { "\($1.sql) AS \($0)" }.joined(separator: ", ")
    return SQLTranslation.Piece(
      sql: "(SELECT \(list) FROM \(shape.quotedName))", values: expressions.flatMap(\.1.values))
  }

  func rows(of query: SQLTranslation.Piece, _ body: ((Int) -> StoredValue) -> Void) throws {
    try connection.query(query.sql).run(query.values) { body($0.value) }
  }

  func migration(for attribute: String, _ deed: String?) -> String {
    "write a migration\(deed.map { " \($0)" } ?? ""): "
      + "migrations: [Migration(\(Self.literal("new \(attribute)"))) { context in try "
      + "context.rewrite(\(Self.literal(change.entity.name))) { old in var new = old; "
      + "new.set(\(Self.literal(attribute)), to: …); return new } }]"
  }

  private static func literal(_ text: String) -> String {
    "\""
      + text.unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
      + "\""
  }

  func checkType(_ source: TableChange.Source, hasRun: Bool) throws {
    guard source.isOfOtherType else { return }
    throw refusal(
      "has a column \"\(source.column.name)\" of type \(source.found?.type ?? ""), and its schema one "
        + "of type \(source.type)", migration(for: source.column.name, nil))
  }

  /// Throws if values have another type, in a table that isn't strict or that a migration has left.
  func checkValues(_ source: TableChange.Source) throws {
    guard source.isOfAnyType || !shape.isStrict, source.found != nil else { return }
    let types =
      switch source.column.type {
      case .integer: "'integer', 'null'"
      case .real: "'real', 'integer', 'null'"
      case .text: "'text', 'null'"
      case .bytes, .list: "'blob', 'null'"
      }
    let found = try objects(where: "typeof(\(source.column.quotedName)) NOT IN (\(types))")
    if found.isEmpty { return }
    throw refusal(
      "has values of \"\(source.column.name)\" that aren't of type \(source.type), in "
        + found.listedOrOthers,
      "give them that type in the migration")
  }
}
