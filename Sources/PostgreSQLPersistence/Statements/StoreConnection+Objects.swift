#if PostgreSQL
@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

extension StoreConnection {
  /// Returns the statements of an entity of the store.
  ///
  /// - Throws: ``/EntityStore/StoreError/unknownEntity(_:)``.
  func knownStatements(of entity: EntityDescription) throws -> ServerEntity {
    guard known.contains(entity) else { throw StoreError.unknownEntity(entity.name) }
    return statements(of: entity)
  }

  /// Returns the object with an id, or nil.
  func object(of entity: EntityDescription, id: StoredValue) throws -> EntityRow? {
    let statements = try knownStatements(of: entity)
    guard statements.canHave(id) else { return nil }
    let found = try run(
      statements.row, UnsafeParameters(entity.sqlValues([id], of: [entity.identity])))
    return found.rowCount == 0 ? nil : try statements.object(found, 0)
  }

  /// Calls `body` with each row of a SELECT, which are read in parts.
  ///
  /// `body` may run other statements. The connection is in a transaction.
  func forEachRow(
    of select: SQLTranslation.Piece, _ body: (UnsafeServerResult, _ row: Int) throws -> Void
  ) throws {
    cursorCount += 1
    let cursor = "c\(cursorCount)"
    defer { cursorCount -= 1 }
    // All rows are wanted, not the first ones soon.
    enqueue(try query("SELECT set_config('cursor_tuple_fraction', '1', true)", []))
    enqueue(
      try query("DECLARE \(cursor) NO SCROLL CURSOR FOR \(select.numbered)", select.values),
      UnsafeParameters(select.values))
    let fetch = try query("FETCH 4096 FROM \(cursor)", [])
    while true {
      let found = try run(fetch)
      for row in 0..<found.rowCount { try body(found, row) }
      if found.rowCount < 4096 { break }
    }
    try run(try query("CLOSE \(cursor)", []))
  }
}
#endif
