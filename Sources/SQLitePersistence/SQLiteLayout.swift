internal import EntityStore

/// The tables of a file.
///
/// An entity is a table with a column for each attribute, which the `sqlite3` shell and other tools
/// can read and query: numbers, text (UTF-8, BINARY collation), blobs. Foreign keys are deferred and
/// have no actions; late-bound references have none. `signalbox_metadata` holds the format,
/// `signalbox_log` a row for each commit, whose number is the version.
enum SQLiteLayout {
  /// The format of the tables that aren't the app's.
  ///
  /// A file with a higher one is refused.
  static let format: Int64 = 1
  /// "Sbox": it marks the file as one of ours.
  static let applicationID: Int64 = 0x5362_6F78
  /// How many of the newest rows the log keeps.
  private static let logLength: Int64 = 1024

  // MARK: Opening

  /// Makes the tables that aren't there, and checks those that are.
  static func prepare(_ entities: [EntityDescription], _ connection: Connection) throws {
    for entity in entities { checkNames(of: entity) }
    try connection.execute("BEGIN IMMEDIATE")
    do {
      if try isEmpty(connection) { try create(connection) }
      for entity in entities {
        if try tableExists(entity.name, connection) {
          try check(entity, connection)
        } else {
          try connection.execute(createSQL(of: entity))
        }
        for sql in indexSQL(of: entity) { try connection.execute(sql) }
      }
      try connection.execute("COMMIT")
    } catch {
      try? connection.execute("ROLLBACK")
      throw error
    }
  }

  private static func isEmpty(_ connection: Connection) throws -> Bool {
    try number("SELECT COUNT(*) FROM sqlite_master", connection) == 0
  }

  private static func create(_ connection: Connection) throws {
    try connection.execute("PRAGMA application_id = \(applicationID)")
    try connection.execute(
      """
      CREATE TABLE signalbox_metadata (name TEXT PRIMARY KEY NOT NULL, value INTEGER NOT NULL) STRICT
      """)
    try connection.execute(
      "CREATE TABLE signalbox_log (version INTEGER PRIMARY KEY NOT NULL, changes BLOB) STRICT")
    try connection.query("INSERT INTO signalbox_metadata (name, value) VALUES ('format', ?)")
      .run([.integer(format)])
  }

  /// Throws unless the file is empty, or ours and of a format that is known.
  static func checkOwner(_ connection: Connection) throws {
    let owner = try number("PRAGMA application_id", connection)
    if try isEmpty(connection), owner == 0 || owner == applicationID { return }
    guard owner == applicationID, try tableExists("signalbox_metadata", connection) else {
      throw StoreError.storage(
        StorageFault(
          .foreign,
          "\(connection.path): the file is a database of another program; choose another file"))
    }
    let found = try number(
      "SELECT value FROM signalbox_metadata WHERE name = 'format'", connection)
    guard found <= format else {
      throw StoreError.storage(
        StorageFault(
          .newer,
          "\(connection.path): the file has format \(found), and this library knows \(format); "
            + "update the app"))
    }
  }

  // MARK: The app's tables

  private static func type(of column: SQLColumn) -> String {
    switch column.type {
    case .integer: "INTEGER"
    case .real: "REAL"
    case .text: "TEXT"
    case .bytes, .list: "BLOB"
    }
  }

  private static func createSQL(of entity: EntityDescription) -> String {
    let identity = entity.sqlColumns(of: [entity.identity])
    var lines = entity.sqlColumns.map { column in
      var line = "\(column.quotedName) \(type(of: column))"
      if identity.count == 1 && column.name == identity[0].name { line += " PRIMARY KEY" }
      if !column.isOptional { line += " NOT NULL" }
      return line
    }
    if identity.count > 1 {
      lines.append("PRIMARY KEY (\(entity.quotedColumns(of: [entity.identity])))")
    }
    for key in entity.uniqueKeys { lines.append("UNIQUE (\(entity.quotedColumns(of: key)))") }
    for index in entity.references {
      guard let reference = entity.columns[index].reference, !reference.isLateBound else {
        continue
      }
      let target = reference.target
      lines.append(
        "FOREIGN KEY (\(entity.quotedColumns(of: [index]))) REFERENCES \(target.quotedName) "
          + "(\(target.quotedColumns(of: [target.identity]))) DEFERRABLE INITIALLY DEFERRED")
    }
    return "CREATE TABLE \(entity.quotedName) (\(lines.joined(separator: ", "))) STRICT"
  }

  private static func indexSQL(of entity: EntityDescription) -> [String] {
    (entity.references.map { [$0] } + entity.indexes).map { key in
      // Quoted within the name, so that no two keys have one name.
      let name =
        "signalbox_index on \(entity.quotedName) "
        + entity.sqlColumns(of: key).map(\.quotedName).joined(separator: " ")
      return "CREATE INDEX IF NOT EXISTS \(SQLName.quoted(name)) ON \(entity.quotedName) "
        + "(\(entity.quotedColumns(of: key)))"
    }
  }

  /// Compares a table with its schema.
  private static func check(_ entity: EntityDescription, _ connection: Connection) throws {
    var found: [String: (type: String, isOptional: Bool)] = [:]
    var identity: [String] = []
    try connection.query("SELECT name, type, \"notnull\", pk FROM pragma_table_info(?)")
      .run([.text(entity.name)]) {
        let name = $0.value(0).description
        found[name] = ($0.value(1).description, $0.integer(2) == 0)
        if $0.integer(3) > 0 { identity.append(name) }
      }
    let missing = entity.columns.filter { column in
      column.sqlColumns.contains { found[$0.name] == nil }
    }
    if !missing.isEmpty { throw lacks(missing, entity, Set(found.keys), connection) }
    for column in entity.sqlColumns {
      guard let stored = found.removeValue(forKey: column.name) else { continue }
      let wanted = type(of: column)
      guard stored.type == wanted, stored.isOptional == column.isOptional else {
        let words = wanted + (column.isOptional ? "" : " NOT NULL")
        throw mismatch(entity, "has a column \"\(column.name)\" that isn't \(words)", connection)
      }
    }
    if let name = found.keys.sorted().first {
      throw mismatch(entity, "has a column \"\(name)\" that its schema doesn't", connection)
    }
    guard Set(identity) == Set(entity.sqlColumns(of: [entity.identity]).map(\.name)) else {
      throw mismatch(entity, "has another id", connection)
    }
    try checkUniqueKeys(of: entity, connection)
  }

  private static func checkUniqueKeys(of entity: EntityDescription, _ connection: Connection) throws
  {
    var keys: [String: Set<String>] = [:]
    try connection.query(
      """
      SELECT keys.name, columns.name
      FROM pragma_index_list(?) AS keys, pragma_index_info(keys.name) AS columns
      WHERE keys."unique"
      """
    ).run([.text(entity.name)]) {
      keys[$0.value(0).description, default: []].insert($0.value(1).description)
    }
    // The id is unique in any case, whether or not a rule says so and a table has an index for it.
    let identity = Set(entity.sqlColumns(of: [entity.identity]).map(\.name))
    let wanted = Set(entity.uniqueKeys.map { Set(entity.sqlColumns(of: $0).map(\.name)) })
    guard wanted.subtracting([identity]) == Set(keys.values).subtracting([identity]) else {
      throw mismatch(entity, "has other unique keys", connection)
    }
  }

  private static func mismatch(
    _ entity: EntityDescription, _ what: String, _ connection: Connection,
    remedy: String = "open it with the schema it was made with, or choose another file"
  ) -> StoreError {
    .storage(
      StorageFault(
        .schemaMismatch,
        "\(connection.path): the table of \(entity.name) \(what); \(remedy)"))
  }

  /// The error for attributes that a table has no columns for, with the statements that add them.
  private static func lacks(
    _ missing: [Column], _ entity: EntityDescription, _ found: Set<String>,
    _ connection: Connection
  ) -> StoreError {
    let names = missing.flatMap(\.sqlColumns).map(\.name).filter { !found.contains($0) }
    let what =
      "has no column " + names.map { "\"\($0)\"" }.joined(separator: ", and none named ")
    // None, if what stands in the file already couldn't have a value.
    let statements = missing.map { statementsAdding($0, to: entity, found) }
    guard statements.allSatisfy({ $0 != nil }) else {
      return mismatch(
        entity, what, connection,
        remedy:
          "give the attribute a default or make it optional and open the file again to see the "
          + "statement that adds it, open it with the schema it was made with, or choose another file"
      )
    }
    let sql = statements.flatMap { $0 ?? [] }.joined(separator: "; ")
    return mismatch(
      entity, what, connection,
      remedy: "add what is missing with the sqlite3 shell, and open the file again: \(sql)")
  }

  /// The statements that add an attribute to a table with rows, or nil if these would have no value.
  private static func statementsAdding(
    _ column: Column, to entity: EntityDescription, _ found: Set<String>
  ) -> [String]? {
    guard column.isOptional || column.defaultValue != nil else { return nil }
    let values = column.sqlValues(column.defaultValue ?? .null)
    var statements: [String] = []
    for (sqlColumn, value) in zip(column.sqlColumns, values) where !found.contains(sqlColumn.name) {
      var sql =
        "ALTER TABLE \(entity.quotedName) ADD COLUMN \(sqlColumn.quotedName) \(type(of: sqlColumn))"
      if !column.isOptional { sql += " NOT NULL" }
      if !value.isNull {
        guard let literal = literal(value) else { return nil }
        sql += " DEFAULT \(literal)"
      } else if let reference = column.reference, !reference.isLateBound, column.type != .list {
        let target = reference.target
        sql +=
          " REFERENCES \(target.quotedName) (\(target.quotedColumns(of: [target.identity]))) "
          + "DEFERRABLE INITIALLY DEFERRED"
      }
      statements.append(sql)
    }
    return statements
  }

  /// A value as SQL writes it, or nil if a shell's line can't hold it.
  private static func literal(_ value: StoredValue) -> String? {
    switch value {
    case .null: return "NULL"
    case .integer(let number): return "\(number)"
    case .real(let number):
      // SQLite has no word for infinity, and takes what is too large for it.
      return number.isInfinite ? (number < 0 ? "-9e999" : "9e999") : "\(number)"
    case .text(let text):
      // The text of a statement ends with a NUL.
      if text.utf8.contains(0) { return nil }
      return "'"
        + text.split(separator: "'", omittingEmptySubsequences: false)
        .joined(separator: "''") + "'"
    case .bytes: return "x'\(value)'"
    case .list: return nil
    }
  }

  private static func tableExists(_ name: String, _ connection: Connection) throws -> Bool {
    var exists = false
    try connection.query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?")
      .run([.text(name)]) { _ in exists = true }
    return exists
  }

  private static func number(_ sql: String, _ connection: Connection) throws -> Int64 {
    var number: Int64 = 0
    try connection.query(sql).run { number = $0.integer(0) }
    return number
  }

  // MARK: The log

  /// The version of the last commit.
  static func version(_ connection: Connection) throws -> Int64 {
    try number("SELECT COALESCE(MAX(version), 0) FROM signalbox_log", connection)
  }

  /// Writes the row of a commit, and now and then forgets old ones.
  static func log(_ version: Int64, _ connection: Connection) throws {
    try connection.query("INSERT INTO signalbox_log (version) VALUES (?)")
      .run([.integer(version)])
    if version % 256 == 0 {
      try connection.query("DELETE FROM signalbox_log WHERE version <= ?")
        .run([.integer(version - logLength)])
    }
  }
}
