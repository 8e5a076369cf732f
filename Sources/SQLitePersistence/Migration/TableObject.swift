internal import EntityStore

/// A trigger or an index on a table.
struct TableObject {
  let kind: String
  let name: String
  let sql: String

  /// True if the library has created it.
  var isOwn: Bool { FoldedName.folded(name).hasPrefix("signalbox_") }

  /// Returns the triggers and indexes of a table that a statement has created.
  static func all(on table: String, _ connection: Connection) throws -> [TableObject] {
    var objects: [TableObject] = []
    let wanted = FoldedName(table)
    // Indexes that SQLite creates automatically have no SQL.
    try connection.query(
      """
      SELECT type, name, sql, tbl_name FROM sqlite_master
      WHERE type IN ('trigger', 'index') AND sql IS NOT NULL
      """
    ).run {
      guard FoldedName($0.value(3).description) == wanted else { return }
      objects.append(
        TableObject(
          kind: $0.value(0).description, name: $0.value(1).description,
          sql: $0.value(2).description))
    }
    return objects
  }

  func drop(_ connection: Connection) throws {
    if kind == "index" { try connection.stepWatch.checkTrees() }
    try connection.execute("DROP \(kind) \(SQL.quoted(name))")
  }
}
