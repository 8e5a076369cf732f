@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

extension SchemaRecord {
  /// Creates the tables that don't exist.
  static func create(_ connection: Connection) throws {
    try connection.execute("CREATE TABLE IF NOT EXISTS \(StoreTables.migrations)")
    try connection.execute("CREATE TABLE IF NOT EXISTS \(StoreTables.schemas)")
  }

  init(_ connection: Connection) throws {
    self.init()
    let migrations = try connection.texts("SELECT name FROM signalbox_migrations")
    for name in migrations { note(migration: name) }
    try connection.query("SELECT entity, description FROM signalbox_schemas ORDER BY number").run {
      note($0.value(1).description, of: $0.value(0).description)
    }
  }

  mutating func record(migration: String, _ connection: Connection) throws {
    note(migration: migration)
    try connection.query("INSERT INTO signalbox_migrations (name) VALUES (?)")
      .run([.text(migration)])
  }

  /// Records the description of a table, and returns true, unless it is the current one.
  @discardableResult
  mutating func record(_ description: String, of entity: String, _ connection: Connection) throws
    -> Bool
  {
    guard note(description, of: entity) else { return false }
    try connection.query("INSERT INTO signalbox_schemas (entity, description) VALUES (?, ?)")
      .run([.text(entity), .text(description)])
    return true
  }
}

extension EntityDescription {
  /// The description of the table for programs that use it, as SQL.
  ///
  /// It contains everything that a program must know to use the table. Its order doesn't depend on
  /// the program. Delete rules, defaults and indexes aren't in it. They belong to the program, and
  /// a program with different ones can use the table.
  var tableDescription: String {
    var lines = sqlColumns.map { Self.line(of: $0) + ($0.isOptional ? "" : " NOT NULL") }
    for key in uniqueKeys {
      lines.append(
        "UNIQUE (\(Self.sorted(sqlColumns(of: key).map(\.quotedName)).joined(separator: ", ")))")
    }
    for index in checkedReferences {
      guard let target = columns[index].reference?.target else { continue }
      lines.append(
        "FOREIGN KEY (\(quotedColumns(of: [index]))) REFERENCES \(target.quotedName) "
          + "(\(target.quotedColumns(of: [target.identity])))")
    }
    return "PRIMARY KEY (\(quotedColumns(of: [identity]))); "
      + Self.sorted(lines).joined(separator: "; ")
  }

  /// Returns true if a description of the table has all columns, by names in the same letters.
  func hasNames(in description: String) -> Bool {
    sqlColumns.allSatisfy { description.contains(Self.line(of: $0)) }
  }

  private static func line(of column: SQLColumn) -> String {
    "\(column.quotedName) \(TableSQL.type(of: column))"
  }

  /// Returns the texts in the order of their bytes.
  ///
  /// Swift's `<` doesn't order texts that aren't normalised.
  private static func sorted(_ texts: [String]) -> [String] {
    texts.sorted { TextBytes.compare($0, $1) < 0 }
  }
}
