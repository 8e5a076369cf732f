@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

extension ColumnSource where Found == TableShape.Column {
  var type: String { TableSQL.type(of: column) }
  /// True if a migration has left values of any type, which are checked one by one.
  var isOfAnyType: Bool { found?.type == "ANY" || found?.type == "" }
  var isOfOtherType: Bool { found.map { $0.type != type && !isOfAnyType } ?? false }
  var isAsWanted: Bool {
    found.map { $0.type == type && $0.isOptional == column.isOptional } ?? false
  }

  /// The value as SQL, with the values that are bound to it.
  var expression: SQLTranslation.Piece {
    guard let found else { return SQLTranslation.Piece(sql: "?", values: [fill ?? .null]) }
    let name = SQL.quoted(found.name)
    guard let fill else { return SQLTranslation.Piece(sql: name) }
    return SQLTranslation.Piece(sql: "COALESCE(\(name), ?)", values: [fill])
  }
}
