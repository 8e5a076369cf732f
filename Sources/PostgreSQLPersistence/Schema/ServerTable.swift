#if PostgreSQL
@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

/// The SQL that creates an entity's table.
struct ServerTable {
  let entity: EntityDescription

  init(_ entity: EntityDescription) { self.entity = entity }

  private func definition(_ column: SQLColumn) -> String {
    "\(column.quotedName) \(ServerType(column.type).sql)" + (column.isOptional ? "" : " NOT NULL")
  }

  private var rowNumber: [String] {
    if entity.columns[entity.identity].type == .integer { return [] }
    return ["\(PostgreSQLDialect.rowNumber) bigint GENERATED ALWAYS AS IDENTITY UNIQUE"]
  }

  private var primaryKey: String {
    "PRIMARY KEY (\(entity.quotedColumns(of: [entity.identity])))"
  }

  /// The description of the table, by which programs compare their schemas.
  ///
  /// Its order doesn't depend on the program.
  var description: String {
    ([primaryKey] + entity.sqlColumns.map(definition).sorted { TextBytes.compare($0, $1) < 0 })
      .joined(separator: "; ")
  }

  var create: String {
    "CREATE TABLE \(entity.quotedName) "
      + "(\((entity.sqlColumns.map(definition) + rowNumber + [primaryKey]).joined(separator: ", ")))"
  }

  /// The unique keys and the foreign keys, which are checked when a transaction ends.
  ///
  /// The store checks its rules itself. These keep what other tools write in order.
  var constraints: [String] {
    let table = "ALTER TABLE \(entity.quotedName) ADD "
    let unique = entity.uniqueKeys.map {
      table + "UNIQUE (\(entity.quotedColumns(of: $0))) DEFERRABLE INITIALLY DEFERRED"
    }
    let foreign = entity.references.compactMap { index -> String? in
      guard let reference = entity.columns[index].reference, !reference.isLateBound else {
        return nil
      }
      let target = reference.target
      return table
        + "FOREIGN KEY (\(entity.quotedColumns(of: [index]))) REFERENCES \(target.quotedName) "
        + "(\(target.quotedColumns(of: [target.identity]))) DEFERRABLE INITIALLY DEFERRED"
    }
    return unique + foreign
  }

  /// The indexes of references and of the schema's rules.
  var indexes: [(name: String, sql: String)] {
    var seen: Set<[Int]> = []
    return (entity.references.map { [$0] } + entity.indexes).filter { seen.insert($0).inserted }
      .map { key in
        let sum = Self.sum(of: "\(entity.quotedName) \(entity.quotedColumns(of: key))")
        let sql =
          "CREATE INDEX signalbox_\(sum) "
          + "ON \(entity.quotedName) (\(entity.quotedColumns(of: key)))"
        return ("signalbox_\(sum)", sql)
      }
  }

  /// Returns a check sum of a text, for a name made of names: one has 63 bytes at most.
  static func sum(of text: String) -> String {
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return String(sum, radix: 16)
  }

  /// Adds the columns that a table lacks, if it differs in nothing else.
  ///
  /// - Parameters:
  ///   - old: the description of the table.
  ///   - connection: the connection, in a transaction.
  /// - Returns: false if the table differs in more, or if a column has no value for its rows.
  /// - Throws: an error of the server.
  func addColumns(to old: String, _ connection: ServerConnection) throws -> Bool {
    let lines = Set(old.components(separatedBy: "; "))
    let now = [primaryKey] + entity.sqlColumns.map(definition)
    guard lines.subtracting(now).isEmpty, lines.contains(primaryKey) else { return false }
    var statements: [(String, [StoredValue])] = []
    for column in entity.columns {
      let missing = column.sqlColumns.filter { !lines.contains(definition($0)) }
      if missing.isEmpty { continue }
      let values = column.sqlValues(column.defaultValue ?? .null)
      for (part, value) in zip(column.sqlColumns, values) where !lines.contains(definition(part)) {
        if value.isNull && !part.isOptional { return false }
        let table = "ALTER TABLE \(entity.quotedName) "
        statements.append(
          (table + "ADD COLUMN \(part.quotedName) \(ServerType(part.type).sql)", []))
        if value.isNull { continue }
        statements.append(("UPDATE \(entity.quotedName) SET \(part.quotedName) = $1", [value]))
        if !part.isOptional {
          statements.append((table + "ALTER COLUMN \(part.quotedName) SET NOT NULL", []))
        }
      }
    }
    for (sql, values) in statements { try connection.run(sql, values) }
    return true
  }
}

extension String {
  /// Returns the parts between separators.
  fileprivate func components(separatedBy separator: String) -> [String] {
    split(separator: separator, omittingEmptySubsequences: false).map(String.init)
  }
}
#endif
