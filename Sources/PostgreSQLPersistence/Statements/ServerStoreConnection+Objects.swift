#if PostgreSQL
@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

extension ServerStoreConnection {
  /// Returns the statements of an entity of the store.
  ///
  /// - Throws: ``/EntityStore/StoreError/unknownEntity(_:)``.
  func knownStatements(of entity: EntityDescription) throws -> ServerEntity {
    guard known.contains(entity) else { throw StoreError.unknownEntity(entity.name) }
    return statements(of: entity)
  }

  /// Returns the object with an id, and the number of bytes of its values.
  func object(
    of entity: EntityDescription, id: StoredValue
  ) throws -> (object: EntityRow, size: Int)? {
    let statements = try knownStatements(of: entity)
    guard statements.canHave(id) else { return nil }
    let found = try run(
      statements.row, UnsafeParameters(entity.sqlValues([id], of: [entity.identity])))
    if found.rowCount == 0 { return nil }
    return (try statements.object(found, 0), found.size(of: 0))
  }

  /// Returns the object with an id, outside of a transaction, or `.some(nil)` if there is none.
  ///
  /// It returns nil if the tables aren't known to fit: on a new connection, and after a migration.
  func objectAlone(of entity: EntityDescription, id: StoredValue) throws -> EntityRow?? {
    let statements = try knownStatements(of: entity)
    guard statements.canHave(id) else { return .some(nil) }
    let found = try run(
      statements.rowAlone, UnsafeParameters(entity.sqlValues([id], of: [entity.identity])))
    guard found.rowCount == 1, found.integer(0, 0) == generation else { return nil }
    if found.integer(0, 1) == 0 { return .some(nil) }
    return try statements.object(found, 0, from: 2)
  }

  /// Calls `body` with each row of a SELECT, which are read in parts if they are many.
  ///
  /// `body` may run other statements. The connection is in a transaction.
  ///
  /// The server prepares for all rows, or with `areFirst` for the first ones soon.
  func forEachRow(
    of select: SQLTranslation.Piece, areFirst: Bool = false,
    _ body: (UnsafeServerResult, _ row: Int) throws -> Void
  ) throws {
    let statement = try query(select.numbered, select.values)
    // A query whose rows were few is likely to have few again. The server need not plan it again.
    if let count = statement.rowCount, count < Self.part {
      let found = try run(statement, UnsafeParameters(select.values))
      statement.rowCount = found.rowCount
      for row in 0..<found.rowCount { try body(found, row) }
      return
    }
    cursorCount += 1
    let cursor = "c\(cursorCount)"
    defer { cursorCount -= 1 }
    let fraction = areFirst ? "0.01" : "1"
    enqueue(try query("SELECT set_config('cursor_tuple_fraction', '\(fraction)', TRUE)", []))
    enqueue(
      try query("DECLARE \(cursor) NO SCROLL CURSOR FOR \(select.numbered)", select.values),
      UnsafeParameters(select.values))
    let (fetch, close) = (
      try query("FETCH \(Self.part) FROM \(cursor)", []), try query("CLOSE \(cursor)", [])
    )
    defer { enqueue(close) }
    var next: UnsafeServerResult?
    var count = 0
    enqueue(fetch) { next = $0 }
    while true {
      // While the rows of one part are used, the server reads the next one.
      if next == nil { _ = try flush() }
      guard let found = next else { throw lostFault }
      next = nil
      if found.rowCount == Self.part {
        enqueue(fetch) { next = $0 }
        try send()
      }
      for row in 0..<found.rowCount { try body(found, row) }
      count += found.rowCount
      if found.rowCount < Self.part { break }
    }
    statement.rowCount = count
  }

  /// The number of rows that are read at once.
  private static let part = 4096
}
#endif
