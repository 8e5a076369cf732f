#if PostgreSQL
@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

/// The SQL that creates an entity's table.
struct ServerTable {
  let entity: EntityDescription

  init(_ entity: EntityDescription) { self.entity = entity }

  func definition(_ column: SQLColumn) -> String {
    "\(column.quotedName) \(ServerType(column.type).sql)" + (column.isOptional ? "" : " NOT NULL")
  }

  var rowNumber: [String] {
    if entity.columns[entity.identity].type == .integer { return [] }
    return ["\(PostgreSQLDialect.rowNumber) bigint GENERATED ALWAYS AS IDENTITY UNIQUE"]
  }

  var primaryKey: String {
    "PRIMARY KEY (\(entity.quotedColumns(of: [entity.identity])))"
  }

  /// The description of the table, by which programs compare their schemas.
  ///
  /// Its order doesn't depend on the program. Delete rules, defaults and indexes aren't in it: a
  /// program with different ones can use the table.
  var description: String {
    let lines = entity.sqlColumns.map(definition) + constraints.map(\.rule)
    return ([primaryKey] + lines.sorted { TextBytes.compare($0, $1) < 0 }).joined(separator: "; ")
  }

  var create: String {
    "CREATE TABLE \(entity.quotedName) "
      + "(\((entity.sqlColumns.map(definition) + rowNumber + [primaryKey]).joined(separator: ", ")))"
  }

  func uniqueName(of key: [Int]) -> String {
    "signalbox_u\(Self.sum(of: "\(entity.quotedName) \(entity.quotedColumns(of: key))"))"
  }

  /// The unique keys and the foreign keys, which are checked when a transaction ends.
  ///
  /// The store checks its rules itself. These keep what other tools write in order.
  var constraints: [(name: String, rule: String, sql: String)] {
    func constraint(_ name: String, _ rule: String) -> (name: String, rule: String, sql: String) {
      (
        name, rule,
        "ALTER TABLE \(entity.quotedName) ADD CONSTRAINT \(name) \(rule) DEFERRABLE INITIALLY DEFERRED"
      )
    }
    let unique = entity.uniqueKeys.map { key in
      constraint(uniqueName(of: key), "UNIQUE (\(entity.quotedColumns(of: key)))")
    }
    let foreign = entity.checkedReferences.compactMap { index in
      entity.columns[index].reference.map { reference in
        let target = reference.target
        let rule =
          "FOREIGN KEY (\(entity.quotedColumns(of: [index]))) REFERENCES \(target.quotedName) "
          + "(\(target.quotedColumns(of: [target.identity])))"
        return constraint("signalbox_f\(Self.sum(of: "\(entity.quotedName) \(rule)"))", rule)
      }
    }
    return unique + foreign
  }

  /// The indexes of references and of the schema's rules.
  ///
  /// NULL comes first in them, as nil does in an ascending order, and last from behind, as in a
  /// descending one. The name doesn't say so: programs find an index by its name, and an older one,
  /// whose indexes have NULL last, would make its own again each time.
  var indexes: [(name: String, sql: String)] {
    var seen: Set<[Int]> = []
    return (entity.references.map { [$0] } + entity.indexes).filter { seen.insert($0).inserted }
      .map { key in
        let sum = Self.sum(of: "\(entity.quotedName) \(entity.quotedColumns(of: key))")
        let columns = entity.sqlColumns(of: key).map { column in
          column.quotedName + (column.isOptional ? " NULLS FIRST" : "")
        }
        let sql =
          "CREATE INDEX signalbox_\(sum) "
          + "ON \(entity.quotedName) (\(columns.joined(separator: ", ")))"
        return ("signalbox_\(sum)", sql)
      }
  }

  /// Returns a check sum of a text, for a name made of names: one has 63 bytes at most.
  static func sum(of text: String) -> String {
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return String(sum, radix: 16)
  }
}
#endif
