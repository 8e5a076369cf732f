internal import EntityStore

/// What a file remembers of its past: the names of the migrations that have run, and the schemas that
/// its tables have had.
struct SchemaRecord {
  /// The names of migrations.
  private(set) var migrations: Set<ExactText> = []
  /// What each table is like now, as its last schema described it.
  private(set) var current: [FoldedName: ExactText] = [:]
  private var past: [FoldedName: Set<ExactText>] = [:]

  /// Makes the tables that aren't there.
  static func create(_ connection: Connection) throws {
    try connection.execute("CREATE TABLE IF NOT EXISTS \(StoreTables.migrations)")
    try connection.execute("CREATE TABLE IF NOT EXISTS \(StoreTables.schemas)")
  }

  /// What the file remembers.
  init(_ connection: Connection) throws {
    try connection.query("SELECT name FROM signalbox_migrations").run {
      migrations.insert(ExactText($0.value(0).description))
    }
    try connection.query("SELECT entity, description FROM signalbox_schemas ORDER BY number").run {
      note($0.value(1).description, of: $0.value(0).description)
    }
  }

  private mutating func note(_ description: String, of entity: String) {
    let name = FoldedName(entity)
    let description = ExactText(description)
    if let old = current.updateValue(description, forKey: name), old != description {
      past[name, default: []].insert(old)
    }
  }

  /// Whether the file's table has had the entity's schema and has another one now.
  func isSuperseded(_ entity: EntityDescription) -> Bool {
    let name = FoldedName(entity.name)
    let description = ExactText(entity.tableDescription)
    guard let now = current[name], now != description else { return false }
    return past[name]?.contains(description) ?? false
  }

  /// Whether the file's table has the entity's schema and has never had another one.
  func hasAlwaysBeen(_ entity: EntityDescription) -> Bool {
    let name = FoldedName(entity.name)
    return current[name] == ExactText(entity.tableDescription) && past[name] == nil
  }

  /// Whether a schema of a table that the file has had names a column.
  func hasHad(_ column: String, _ table: FoldedName) -> Bool {
    let quoted = SQLName.folded(SQLName.quoted(column))
    let schemas = (past[table] ?? []).union(current[table].map { [$0] } ?? [])
    return schemas.contains { SQLName.folded($0.text).contains(quoted) }
  }

  mutating func record(migration: String, _ connection: Connection) throws {
    migrations.insert(ExactText(migration))
    try connection.query("INSERT INTO signalbox_migrations (name) VALUES (?)")
      .run([.text(migration)])
  }

  /// Remembers what a table is like, unless that is known.
  ///
  /// - Returns: whether it is news.
  @discardableResult
  mutating func record(_ description: String, of entity: String, _ connection: Connection) throws
    -> Bool
  {
    if current[FoldedName(entity)] == ExactText(description) { return false }
    note(description, of: entity)
    try connection.query("INSERT INTO signalbox_schemas (entity, description) VALUES (?, ?)")
      .run([.text(entity), .text(description)])
    return true
  }
}

extension EntityDescription {
  /// What a program must know of the table to use it, in words of SQL and in no order of the program's.
  ///
  /// Delete rules, defaults and indexes aren't in it: they are the program's own, and one that has others
  /// can use the table.
  var tableDescription: String {
    var lines = sqlColumns.map {
      "\($0.quotedName) \(TableSQL.type(of: $0))" + ($0.isOptional ? "" : " NOT NULL")
    }
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

  /// In the order of their bytes: Swift's `<` is no order of text that isn't normalised.
  private static func sorted(_ texts: [String]) -> [String] {
    texts.sorted { TextBytes.compare($0, $1) < 0 }
  }
}
