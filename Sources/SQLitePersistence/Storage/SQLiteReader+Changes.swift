@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

// External commits are computed from the change log, which has the old values, and the file, which
// has the new ones.
extension SQLiteReader {
  func changes(since version: Int64, of entities: Set<EntityDescription>) throws -> NetChanges? {
    try changes(since: version, of: entities, atMost: ChangeLogObjects.mostBytesRead)
  }

  /// Does the same, and also returns nil if the logged changes have more bytes than a limit.
  func changes(
    since version: Int64, of entities: Set<EntityDescription>, atMost limit: Int64
  ) throws -> NetChanges? {
    try check()
    // The change log doesn't contain all rows that others have replaced.
    if connection.schemaWatch?.hasOthersKey ?? false { return nil }
    let layouts = try entities.map { try connection.statements(of: $0).logLayout }
      .sorted { $0.name.lexicographicallyPrecedes($1.name) }
    let objects = try ChangeLog.objects(
      since: version, upTo: self.version, of: layouts, atMost: limit, connection)
    return try objects?.changes { entity, _ in { try self.row(of: entity, id: $0) } }
  }
}
