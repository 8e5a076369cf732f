@_spi(Storage) internal import EntityStore

extension RecordingReader: SQLReader {
  var sqlReader: (any SQLReader)? { base.sqlReader == nil ? nil : self }

  /// Notes that every change of the entities may lead to other rows.
  func rows(of sql: SQL, reading entities: [EntityDescription]) throws -> SQLRows {
    for entity in entities {
      reading.add(
        query(ReadQuery.Key(entity: entity, filter: nil, values: [], kind: .objects)))
    }
    guard let reader = base.sqlReader else { return SQLRows(columns: [], rows: []) }
    return try reader.rows(of: sql, reading: entities)
  }
}
