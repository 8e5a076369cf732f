internal import EntityStore

extension TableShape {
  /// The app's tables in a file.
  static func names(_ connection: Connection) throws -> [FoldedName: String] {
    var names: [FoldedName: String] = [:]
    try connection.query(
      "SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY name"
    ).run {
      let name = $0.value(0).description
      let folded = SQLName.folded(name)
      if folded.hasPrefix("signalbox_") || folded.hasPrefix("sqlite_") { return }
      // A virtual one isn't looked into.
      if SQLWords($0.value(1).description).begins(with: ["CREATE", "VIRTUAL"]) { return }
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
    try readRules(connection)
    try readIndexes(connection)
    try readForeignKeys(connection)
  }

  /// A unique index of another program by whose columns a schema's objects may be alike, or nil.
  func otherUniqueKey(besides wanted: TableShape) -> String? {
    otherUniqueKeys.filter {
      !wanted.uniqueKeys.contains($0.value) && $0.value != wanted.identity
    }.keys.sorted().first
  }

  private mutating func readRules(_ connection: Connection) throws {
    let schema = try FileSchema(connection)
    let object = schema.object(FoldedName(name))
    hasOtherRules = object?.hasOtherRules ?? false
    let listed = try object.flatMap { try schema.listed($0, connection) }
    isStrict = object?.isStrict ?? false && listed?.isStrict ?? true
  }

  private mutating func readIndexes(_ connection: Connection) throws {
    struct Found {
      let name: String
      let isUnique: Bool
      let origin: String
      var columns: [FoldedName] = []
      /// Whether it has all rows.
      let isWhole: Bool
      /// Whether it has columns alone, in the order of their bytes.
      var isOfBytes = true
      var isDescending = false
    }
    var found: [Found] = []
    try connection.query(
      """
      SELECT keys.name, keys."unique", keys.origin, keys.partial, columns.name, columns.coll, columns.desc, columns.cid
      FROM pragma_index_list(?) AS keys, pragma_index_xinfo(keys.name) AS columns
      WHERE columns.key ORDER BY keys.seq, columns.seqno
      """
    ).run([.text(name)]) {
      let name = $0.value(0).description
      if found.last.map({ $0.name != name }) ?? true {
        found.append(
          Found(
            name: name, isUnique: $0.integer(1) != 0, origin: $0.value(2).description,
            isWhole: $0.integer(3) == 0))
      }
      let last = found.count - 1
      found[last].columns.append(FoldedName($0.value(4).description))
      let isOfBytes = SQLName.folded($0.value(5).description) == "binary"
      // An expression has a number below that of a row, which is -1.
      if !isOfBytes || $0.integer(7) < -1 { found[last].isOfBytes = false }
      if $0.integer(6) != 0 { found[last].isDescending = true }
    }
    for index in found {
      let columns = Set(index.columns)
      if index.origin == "u" {
        if !index.isOfBytes { hasOtherRules = true }
        // The id is unique in any case, whether or not a rule says so.
        if columns != identity { uniqueKeys.insert(columns) }
      } else if index.name.hasPrefix(TableSQL.indexPrefix), !index.isUnique {
        // One that isn't as we make it has no columns, so that it is made again.
        let isOurs = index.isWhole && index.isOfBytes && !index.isDescending
        indexes.insert(Index(name: index.name, columns: isOurs ? index.columns : []))
      } else if index.origin == "c", index.isUnique, !index.isOfBytes || columns != identity {
        // Values that differ may be alike to one of another order, so it is no key of a schema's. One of some rows
        // alone says less than the key of all rows does.
        otherUniqueKeys[index.name] = index.isOfBytes ? columns : []
      } else if index.origin == "pk", !index.isOfBytes || isIdentifiedByNumber {
        // A whole number that is an id is the row's number, which needs no index.
        hasOtherRules = true
      }
    }
  }

  /// Whether the id is one whole number.
  private var isIdentifiedByNumber: Bool {
    identity.count == 1
      && columns.contains {
        identity.contains(FoldedName($0.name)) && SQLName.folded($0.type) == "integer"
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
    // COUNT alone is one step to SQLite, which nothing ends in a file whose pages lead to each other.
    try connection.query("SELECT COALESCE(SUM(1), 0) FROM \(quotedName)").run {
      count = Int(clamping: $0.integer(0))
    }
    return count
  }
}
