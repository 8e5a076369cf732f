internal import EntityStore

extension TableShape {
  /// The app's tables in a file.
  static func names(_ connection: Connection) throws -> [FoldedName: String] {
    var names: [FoldedName: String] = [:]
    try connection.query("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").run {
      let name = $0.value(0).description
      let folded = SQLName.folded(name)
      if folded.hasPrefix("signalbox_") || folded.hasPrefix("sqlite_") { return }
      names[FoldedName(name)] = name
    }
    return names
  }

  /// The table with a name that a file has.
  init(reading name: String, _ connection: Connection) throws {
    self.init(name: name)
    try connection.query("SELECT name, type, \"notnull\", pk FROM pragma_table_info(?)")
      .run([.text(name)]) {
        let column = $0.value(0).description
        columns.append(
          Column(name: column, type: $0.value(1).description, isOptional: $0.integer(2) == 0))
        if $0.integer(3) > 0 { identity.insert(FoldedName(column)) }
      }
    try readIndexes(connection)
    try readForeignKeys(connection)
  }

  private mutating func readIndexes(_ connection: Connection) throws {
    var found: [(name: String, isUnique: Bool, origin: String, columns: [FoldedName])] = []
    try connection.query(
      """
      SELECT keys.name, keys."unique", keys.origin, columns.name
      FROM pragma_index_list(?) AS keys, pragma_index_info(keys.name) AS columns
      ORDER BY keys.seq, columns.seqno
      """
    ).run([.text(name)]) {
      let name = $0.value(0).description
      if found.last.map({ $0.name != name }) ?? true {
        found.append((name, $0.integer(1) != 0, $0.value(2).description, []))
      }
      found[found.count - 1].columns.append(FoldedName($0.value(3).description))
    }
    for index in found {
      let columns = Set(index.columns)
      if index.origin == "u" {
        // The id is unique in any case, whether or not a rule says so.
        if columns != identity { uniqueKeys.insert(columns) }
      } else if index.name.hasPrefix(TableSQL.indexPrefix) {
        indexes.insert(Index(name: index.name, columns: index.columns))
      } else if index.origin == "c", index.isUnique, columns != identity {
        otherUniqueKeys[index.name] = columns
      }
    }
  }

  private mutating func readForeignKeys(_ connection: Connection) throws {
    var found: [(id: Int64, target: String, columns: [FoldedName], targets: [FoldedName])] = []
    try connection.query(
      "SELECT id, \"table\", \"from\", \"to\" FROM pragma_foreign_key_list(?) ORDER BY id, seq"
    ).run([.text(name)]) {
      let id = $0.integer(0)
      if found.last.map({ $0.id != id }) ?? true {
        found.append((id, $0.value(1).description, [], []))
      }
      found[found.count - 1].columns.append(FoldedName($0.value(2).description))
      // None is named where it is the id of the other table.
      if !$0.value(3).isNull {
        found[found.count - 1].targets.append(FoldedName($0.value(3).description))
      }
    }
    for key in found {
      foreignKeys.insert(
        ForeignKey(
          columns: key.columns, target: FoldedName(key.target), targetColumns: key.targets))
    }
  }

  /// Whether the table has rows.
  func hasRows(_ connection: Connection) throws -> Bool {
    var hasRows = false
    try connection.query("SELECT 1 FROM \(quotedName) LIMIT 1").run { _ in hasRows = true }
    return hasRows
  }

  /// How many rows the table has.
  func rowCount(_ connection: Connection) throws -> Int {
    var count = 0
    try connection.query("SELECT COUNT(*) FROM \(quotedName)").run { count = Int($0.integer(0)) }
    return count
  }
}
