@_spi(Storage) internal import EntityStore

// The highest id that an entity's objects have had is the higher one of two: the highest id of an
// existing object, and the id in `signalbox_metadata`. The second one is written when an id was
// given, so that the id isn't given again, no matter who deletes the object. It is also written
// when an object is deleted: a tool may delete those with higher ids later.
extension SQLiteTransaction {
  func lastID(of entity: EntityDescription) throws -> Int64? {
    try check()
    _ = try connection.statements(of: entity)
    return try max(NotedIDs.noted(entity, connection), NotedIDs.highest(entity, connection), 0)
  }

  func keep(lastIDs: [EntityDescription: Int64]) throws { givenIDs = lastIDs }

  /// Writes the ids that the commit was given, and the highest of entities with deleted objects.
  ///
  /// The objects have been written by now.
  func writeLastIDs(_ changes: NetChanges) throws {
    var last = givenIDs
    for table in changes.tables {
      let entity = table.entity
      guard let deleted = table.highestID() else { continue }
      let highest = try max(deleted, NotedIDs.highest(entity, connection))
      last[entity] = max(highest, last[entity] ?? 0)
    }
    for (entity, id) in last { try NotedIDs.note(id, of: entity, connection) }
  }
}
