internal import EntityStore
internal import Locking

extension SQLiteLayout {
  /// Our own tables, SQLite's own, and its functions that tell of tables: a table of such a name hides
  /// the function.
  private static let reserved = ["signalbox_", "sqlite_", "pragma_"]

  /// Checks that a file can have a table for the entity.
  static func checkNames(of entity: EntityDescription) {
    let name = entity.name.lowercased()
    mustHold(
      !reserved.contains(where: name.hasPrefix),
      "\(entity.name) is a reserved name; give the entity another entityName")
    for name in [entity.name] + entity.sqlColumns.map(\.name) {
      // The name comes last: whoever prints the message may stop at the NUL.
      mustHold(
        !name.utf8.contains(0),
        "A name in a schema has a NUL, where SQL would end; use another one than \(name)")
    }
  }
}
