@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

// External commits are computed from the change log, which has the old values, and the file, which
// has the new ones.
extension SQLiteReader {
  func changes(since version: Int64, of entities: Set<EntityDescription>) throws -> NetChanges? {
    try changes(since: version, of: entities, atMost: ChangeLog.mostBytesRead)
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
    guard let objects else { return nil }
    var changes: [ObjectChange] = []
    var rewritten: [(id: StoredValue, entity: EntityDescription)] = []
    do {
      for table in objects.tables {
        for object in table.objects {
          let new = try row(of: table.layout.entity, id: object.id)
          guard let change = try table.layout.change(of: object, to: new) else { return nil }
          changes.append(change)
          if object.isRewritten, change.new != nil {
            rewritten.append((object.id, table.layout.entity))
          }
        }
      }
    } catch StoreError.unreadable {
      // A read of that object throws the error. All other reads return what can be read.
      return nil
    }
    var net = NetChanges(changes)
    for (id, entity) in rewritten { net.noteRewritten(id, entity) }
    return net
  }
}
