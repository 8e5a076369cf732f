#if PostgreSQL
@_spi(Storage) internal import EntityStore
internal import Locking
@_spi(Storage) internal import SQLMapping

/// The names and the lock of a store's tables in a schema of a database.
///
/// An entity is a table with a column for each attribute, which other tools can read. Texts have
/// the collation "C". `signalbox_log` has a row for each commit, and its number is the version.
enum ServerLayout {
  /// Returns SQL that waits for the lock of the schema's writers.
  ///
  /// It is held until the transaction ends. So versions have the order of commits.
  static func lock(_ place: ServerPlace) -> String {
    "SELECT pg_advisory_xact_lock(\(lockKeys(place)))"
  }

  /// The numbers of the lock: "Sbox", and the schema's number in this database.
  static func lockKeys(_ place: ServerPlace) -> String {
    "1398959992, (SELECT oid::int FROM pg_namespace WHERE nspname = "
      + "\(SQL.escapedLiteral(place.schema)))"
  }

  /// Checks that the database can have tables for the entities.
  static func checkNames(of entities: [EntityDescription], schema: String) {
    for name in [schema] + entities.flatMap({ [$0.name] + $0.sqlColumns.map(\.name) }) {
      mustHold(
        !name.utf8.contains(0) && name.utf8.count <= 63 && !name.isEmpty,
        "A name of PostgreSQL has 1 to 63 bytes and no NUL; use another one than \(name)")
    }
    let folded = entities.map { $0.name.lowercased() }
    mustHold(
      Set(folded).count == folded.count,
      "Two entities have names that differ only in case; give one another entityName")
    for entity in entities {
      mustHold(
        !isReserved(table: entity.name),
        "\(entity.name) is a reserved name; give the entity another entityName")
      for column in entity.sqlColumns {
        mustHold(
          !isReserved(column: column.name),
          "\(entity.name).\(column.name) is a reserved name; rename the attribute")
      }
    }
  }

  private static let systemColumns: Set = ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"]

  /// Returns true if no entity can have a name.
  static func isReserved(table: String) -> Bool {
    ["signalbox_", "pg_"].contains(where: table.hasPrefix)
  }

  /// Returns true if no attribute can have a name, because tables have such a column already.
  static func isReserved(column: String) -> Bool {
    column == PostgreSQLDialect.rowNumber || systemColumns.contains(column)
  }
}
#endif
