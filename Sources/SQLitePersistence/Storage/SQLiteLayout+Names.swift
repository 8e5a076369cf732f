@_spi(Storage) internal import EntityStore
internal import Locking
@_spi(Storage) internal import SQLMapping

extension SQLiteLayout {
  /// Checks that a file can have a table for the entity.
  static func checkNames(of entity: EntityDescription) {
    mustHold(
      !StoreTables.isReserved(entity.name),
      "\(entity.name) is a reserved name; give the entity another entityName")
    for name in [entity.name] + entity.sqlColumns.map(\.name) {
      // The name comes last, because printing the message may stop at the NUL.
      mustHold(
        !name.utf8.contains(0),
        "A name in a schema has a NUL, where SQL would end; use another one than \(name)")
    }
  }
}
