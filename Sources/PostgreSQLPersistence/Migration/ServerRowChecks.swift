#if PostgreSQL
@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

/// A check that the rows and the columns of a server's table allow a change.
struct ServerRowChecks: RowChecking {
  let change: ServerTableChange
  let shape: ServerShape
  let connection: ServerConnection

  var place: String { connection.place.description }

  var future: SQLTranslation.Piece {
    var values: [StoredValue] = []
    let list = change.sources.map { source in
      let name = source.column.quotedName
      // A column of another type has passed its check, so no row has a value there.
      let found = source.isOfOtherType && !source.isWidened ? nil : source.found
      guard let fill = source.fill else {
        return found.map { "\(SQL.quoted($0.name)) AS \(name)" }
          ?? "CAST(NULL AS \(source.type.name)) AS \(name)"
      }
      values.append(fill)
      let place = "CAST(? AS \(source.type.name))"
      return found.map { "COALESCE(\(SQL.quoted($0.name)), \(place)) AS \(name)" }
        ?? "\(place) AS \(name)"
    }
    return SQLTranslation.Piece(
      sql: "(SELECT \(list.joined(separator: ", ")) FROM \(shape.quotedName)) AS future",
      values: values)
  }

  /// Keeps NaN, which a tool may have written, so that its row is found again by it.
  func rows(of query: SQLTranslation.Piece, _ body: ((Int) -> StoredValue) -> Void) throws {
    let found = try connection.run(query.numbered, query.values)
    for row in 0..<found.rowCount { body { found.value(row, $0, keepsNaN: true) } }
  }

  func migration(for attribute: String, _ deed: String?) -> String {
    "write a migration \(deed ?? "that rewrites it")"
  }

  func checkType(_ source: ServerTableChange.Source, hasRun: Bool) throws {
    guard source.isOfOtherType, let found = source.found else { return }
    let name = SQL.quoted(found.name)
    if hasRun && source.isWidened { return }
    // A migration may have left a column in which no row has a value.
    let value = "SELECT 1 FROM \(shape.quotedName) WHERE \(name) IS NOT NULL LIMIT 1"
    if hasRun, try connection.run(value, []).rowCount == 0 { return }
    throw refusal(
      "has a column \"\(source.column.name)\" of type \(found.type?.sql ?? "another program's"), and its "
        + "schema one of type \(source.type.sql)", migration(for: source.column.name, nil))
  }

  // A server's column has only values of its type.
  func checkValues(_ source: ServerTableChange.Source) {}
}
#endif
