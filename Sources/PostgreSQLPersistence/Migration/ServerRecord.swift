#if PostgreSQL
@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

/// The record of a schema's past in the library's own tables.
struct ServerRecord: SettledNames {
  let connection: ServerConnection
  private(set) var schemas = SchemaRecord()

  init(_ connection: ServerConnection) throws {
    self.connection = connection
    let migrations = try connection.run("SELECT name FROM signalbox_migrations", [])
    for row in 0..<migrations.rowCount { schemas.note(migration: migrations.text(row, 0)) }
    let all = try connection.run(
      "SELECT entity, description FROM signalbox_schemas ORDER BY number", [])
    for row in 0..<all.rowCount { schemas.note(all.text(row, 1), of: all.text(row, 0)) }
  }

  mutating func record(migration: String) throws {
    schemas.note(migration: migration)
    try connection.run(
      "INSERT INTO signalbox_migrations (name) VALUES ($1)", [.text(migration)])
  }

  /// Records the description of a table, unless it is the current one.
  ///
  /// - Returns: true if the table had another one before.
  @discardableResult
  mutating func record(_ description: String, of entity: String) throws -> Bool {
    let isKnown = schemas.current[FoldedName(entity)] != nil
    guard schemas.note(description, of: entity) else { return false }
    try connection.run(
      "INSERT INTO signalbox_schemas (entity, description) VALUES ($1, $2)",
      [.text(entity), .text(description)])
    return isKnown
  }

  /// Returns true if a table is the library's, and wasn't dropped or renamed, by the record.
  func hasTable(_ name: FoldedName) -> Bool {
    // Of a table that was dropped, the record has a word in place of a description.
    schemas.current[name]?.text.hasPrefix("PRIMARY KEY") ?? false
  }

  /// Returns the columns of a table that another program has added.
  func strangeColumns(of shape: ServerShape) -> Set<FoldedName> {
    guard let description = schemas.current[FoldedName(shape.name)] else { return [] }
    let all = FoldedName.folded(description.text)
    return Set(
      shape.columns.map(\.name).filter { name in
        !all.contains("; \(FoldedName.folded(SQL.quoted(name))) ")
      }.map(FoldedName.init))
  }

  // MARK: Former names

  // "" stands for the entities themselves.
  func claims(of entity: String?) throws -> Set<Renames.Claim> {
    let found = try connection.run(
      "SELECT name, former FROM signalbox_names WHERE entity = $1", [.text(entity ?? "")])
    return Set(
      (0..<found.rowCount).map { Renames.Claim(found.text($0, 0), from: found.text($0, 1)) })
  }

  func add(_ name: String, from former: String, of entity: String?) throws {
    try connection.run(
      "INSERT INTO signalbox_names (entity, name, former) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
      [.text(entity ?? ""), .text(name), .text(former)])
  }

  func remove(_ claim: Renames.Claim, of entity: String?) throws {
    try connection.run(
      "DELETE FROM signalbox_names WHERE entity = $1 AND lower(name) = $2 AND lower(former) = $3",
      [.text(entity ?? ""), .text(claim.name.text), .text(claim.former.text)])
  }

  /// Deletes the claims about the attributes of an entity that has been dropped.
  static func forget(_ entity: String, _ connection: ServerConnection) throws {
    try connection.run("DELETE FROM signalbox_names WHERE entity = $1", [.text(entity)])
  }

  /// Moves what is noted of an entity to its new name.
  static func rename(_ entity: String, to new: String, _ connection: ServerConnection) throws {
    try connection.run(
      "UPDATE signalbox_names SET entity = $2 WHERE entity = $1", [.text(entity), .text(new)])
    let noted = try connection.run(
      "DELETE FROM signalbox_ids WHERE entity = $1 RETURNING last", [.text(entity)])
    if noted.rowCount > 0 { try note(noted.integer(0, 0), of: new, connection) }
  }

  /// Notes the highest id that an entity's objects have had.
  static func note(_ id: Int64, of entity: String, _ connection: ServerConnection) throws {
    try connection.run(
      """
      INSERT INTO signalbox_ids AS noted (entity, last) VALUES ($1, $2)
      ON CONFLICT (entity) DO UPDATE SET last = greatest(noted.last, excluded.last)
      """, [.text(entity), .integer(id)])
  }
}
#endif
