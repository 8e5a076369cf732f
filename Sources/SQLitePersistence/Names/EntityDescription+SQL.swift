@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

// A name is always quoted. A value is never part of SQL.

extension EntityDescription {
  /// Returns a comparison with a parameter for each column of some attributes.
  private func parameters(
    _ attributes: [Int], _ comparison: String, joinedBy separator: String
  ) -> String {
    sqlColumns(of: attributes).map { "\($0.quotedName) \(comparison) ?" }
      .joined(separator: separator)
  }

  private var isIdentity: String { parameters([identity], "=", joinedBy: " AND ") }

  /// Returns SQLite's name for the row number in this table.
  ///
  /// - Throws: ``/EntityStore/StoreError/rowNumbersUnsupported`` if attributes use all of its
  ///   names.
  func rowNumberName() throws -> String {
    let taken = Set(sqlColumns.map { $0.name.lowercased() })
    guard let name = ["rowid", "oid", "_rowid_"].first(where: { !taken.contains($0) }) else {
      throw StoreError.rowNumbersUnsupported
    }
    return name
  }

  func rowNumberSQL() throws -> String {
    "SELECT \(try rowNumberName()) FROM \(quotedName) WHERE \(isIdentity)"
  }

  /// Returns SQL that finds a row by its number.
  func numberedRowSQL() throws -> String {
    "SELECT \(quotedColumns(of: columns.indices)) FROM \(quotedName) "
      + "WHERE \(try rowNumberName()) = ?"
  }

  var rowSQL: String {
    "SELECT \(quotedColumns(of: columns.indices)) FROM \(quotedName) WHERE \(isIdentity)"
  }

  func insertSQL(_ count: Int) -> String {
    let row = "(\(sqlColumns.map { _ in "?" }.joined(separator: ", ")))"
    return "INSERT INTO \(quotedName) (\(quotedColumns(of: columns.indices))) VALUES "
      + Array(repeating: row, count: count).joined(separator: ", ")
  }

  var updateSQL: String {
    let others = columns.indices.filter { $0 != identity }
    // An object with nothing but an id never changes, but the statement is prepared anyway.
    let assignments =
      others.isEmpty
      ? sqlColumns(of: [identity]).map { "\($0.quotedName) = \($0.quotedName)" }
        .joined(separator: ", ")
      : parameters(others, "=", joinedBy: ", ")
    return "UPDATE \(quotedName) SET \(assignments) WHERE \(isIdentity)"
  }

  var deleteSQL: String { "DELETE FROM \(quotedName) WHERE \(isIdentity)" }

  func idsSQL(where attributes: [Int]) -> String {
    "SELECT \(quotedColumns(of: [identity])) FROM \(quotedName) WHERE "
      + parameters(attributes, "IS", joinedBy: " AND ")
  }

  /// SQL for the lowest and the highest value of the id's first column.
  ///
  /// An index gives both directly.
  var boundsSQL: String {
    let column = sqlColumns(of: [identity])[0].quotedName
    return
      "SELECT (SELECT MIN(\(column)) FROM \(quotedName)), (SELECT MAX(\(column)) FROM \(quotedName))"
  }
}
