@_spi(Storage) internal import EntityStore

extension SQLiteReader: SQLReader {
  var sqlReader: (any SQLReader)? { self }

  func rows(of sql: SQL, reading entities: [EntityDescription]) throws -> SQLRows {
    try check()
    for entity in entities { _ = try connection.statements(of: entity) }
    let tables = Set(entities.map { FoldedName($0.name) })
    return try inOneStep { try connection.rows(of: sql, tables: tables) }
  }
}
