@_spi(Storage) internal import EntityStore
internal import Locking
@_spi(Storage) internal import SQLMapping

extension SQLiteLayout {
  /// The prefixes of the library's own tables, of SQLite's own, and of its functions that describe
  /// tables.
  ///
  /// A table with the name of such a function hides it.
  private static let reserved = ["signalbox_", "sqlite_", "pragma_"]

  /// Checks that a file can have a table for the entity.
  static func checkNames(of entity: EntityDescription) {
    let name = entity.name.lowercased()
    mustHold(
      !reserved.contains(where: name.hasPrefix),
      "\(entity.name) is a reserved name; give the entity another entityName")
    for name in [entity.name] + entity.sqlColumns.map(\.name) {
      // The name comes last, because printing the message may stop at the NUL.
      mustHold(
        !name.utf8.contains(0),
        "A name in a schema has a NUL, where SQL would end; use another one than \(name)")
    }
  }
}
