@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

/// The ids that objects of a file have had, as noted in the file's metadata.
enum NotedIDs {
  private static func key(_ name: String) -> StoredValue {
    .text("lastID \(FoldedName(name).text)")
  }

  /// Returns the id that is noted for an entity, under its name or a former one, or 0.
  static func noted(_ entity: EntityDescription, _ connection: Connection) throws -> Int64 {
    var highest: Int64 = 0
    for name in [entity.name] + entity.formerNames {
      highest = max(highest, try noted(named: name, connection) ?? 0)
    }
    return highest
  }

  private static func noted(named name: String, _ connection: Connection) throws -> Int64? {
    try connection.integer("SELECT value FROM signalbox_metadata WHERE name = ?", [key(name)])
  }

  /// Returns the highest id of the objects that exist, or 0.
  static func highest(_ entity: EntityDescription, _ connection: Connection) throws -> Int64 {
    let column = entity.sqlColumns(of: [entity.identity])[0].quotedName
    return max(0, try connection.integer("SELECT MAX(\(column)) FROM \(entity.quotedName)") ?? 0)
  }

  /// Notes an id, unless a higher one is noted.
  static func note(_ id: Int64, of entity: EntityDescription, _ connection: Connection) throws {
    try note(id, ofEntityNamed: entity.name, connection)
  }

  /// Notes the highest id of a table's rows, which are about to be deleted or replaced.
  ///
  /// A table that a migration has replaced has no key. Its first rows have been noted.
  static func noteRows(of shape: TableShape, _ connection: Connection) throws {
    guard shape.identity.count == 1,
      let column = shape.columns.first(where: { shape.identity.contains(FoldedName($0.name)) })
    else { return }
    let name = SQL.quoted(column.name)
    let highest = try connection.integer(
      "SELECT \(name) FROM \(shape.quotedName) WHERE typeof(\(name)) = 'integer' ORDER BY \(name) DESC LIMIT 1"
    )
    if let highest, highest > 0 { try note(highest, ofEntityNamed: shape.name, connection) }
  }

  /// Moves the noted id of an entity to the entity's new name.
  static func rename(_ entity: String, to new: String, _ connection: Connection) throws {
    if FoldedName(entity) == FoldedName(new) { return }
    guard let noted = try noted(named: entity, connection) else { return }
    try note(noted, ofEntityNamed: new, connection)
    try connection.query("DELETE FROM signalbox_metadata WHERE name = ?").run([key(entity)])
  }

  private static func note(
    _ id: Int64, ofEntityNamed entity: String, _ connection: Connection
  ) throws {
    try connection.query(
      """
      INSERT INTO signalbox_metadata (name, value) VALUES (?, ?)
      ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE excluded.value > value
      """
    ).run([key(entity), .integer(id)])
  }
}
