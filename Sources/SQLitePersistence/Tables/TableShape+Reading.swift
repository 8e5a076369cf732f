internal import EntityStore
@_spi(Storage) internal import SQLMapping

extension TableShape {
  /// Returns the app's tables in a file.
  static func names(_ connection: Connection) throws -> [FoldedName: String] {
    var names: [FoldedName: String] = [:]
    try connection.query(
      "SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY name"
    ).run {
      let name = $0.value(0).description
      let folded = FoldedName.folded(name)
      if folded.hasPrefix("signalbox_") || folded.hasPrefix("sqlite_") { return }
      // Virtual tables are left out.
      if SQLWords($0.value(1).description).begins(with: ["CREATE", "VIRTUAL"]) { return }
      names[FoldedName(name)] = name
    }
    return names
  }

  /// Reads the shape of a table, whose definition is one of `schema`.
  init(reading name: String, in schema: FileSchema, _ connection: Connection) throws {
    self.init(name: name)
    var found: [(place: Int64, name: FoldedName)] = []
    try connection.query("SELECT name, type, \"notnull\", pk FROM pragma_table_info(?)")
      .run([.text(name)]) {
        let column = $0.value(0).description
        columns.append(
          Column(name: column, type: $0.value(1).description, isOptional: $0.integer(2) == 0))
        if $0.integer(3) > 0 { found.append(($0.integer(3), FoldedName(column))) }
      }
    key = found.sorted { $0.place < $1.place }.map(\.name)
    try readRules(schema, connection)
    try readIndexes(connection)
    try readForeignKeys(connection)
  }

  /// Returns a unique index of another program, or nil.
  ///
  /// Objects that the schema allows may have the same values in the index's columns.
  func otherUniqueKey(besides wanted: TableShape) -> String? {
    otherUniqueKeys.filter {
      !wanted.uniqueKeys.contains($0.value) && $0.value != wanted.identity
    }.keys.sorted().first
  }

  private mutating func readRules(_ schema: FileSchema, _ connection: Connection) throws {
    let object = schema.object(FoldedName(name))
    hasOtherText = object?.hasOtherRules ?? false
    let listed = try object.flatMap { try schema.listed($0, connection) }
    isStrict = object?.isStrict ?? false && listed?.isStrict ?? true
  }

  private mutating func readIndexes(_ connection: Connection) throws {
    struct Found {
      let name: String
      let isUnique: Bool
      let origin: String
      var columns: [FoldedName] = []
      /// True if the index has all rows.
      let isWhole: Bool
      /// True if the index has only columns, ordered by their bytes.
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
      let isOfBytes = FoldedName.folded($0.value(5).description) == "binary"
      // A row number has the column number -1. An expression has a lower one.
      if !isOfBytes || $0.integer(7) < -1 { found[last].isOfBytes = false }
      if $0.integer(6) != 0 { found[last].isDescending = true }
    }
    for index in found {
      let columns = Set(index.columns)
      if index.origin == "u" {
        if !index.isOfBytes { oddKeys.append(columns) }
        // The id is unique in any case, whether or not a rule states it.
        if columns != identity { uniqueKeys.insert(columns) }
      } else if index.name.hasPrefix(TableSQL.indexPrefix), !index.isUnique {
        // An index that differs from the library's own gets no columns, so that it is created
        // again.
        let isOurs = index.isWhole && index.isOfBytes && !index.isDescending
        indexes.insert(Index(name: index.name, columns: isOurs ? index.columns : []))
      } else if index.origin == "c", index.isUnique, !index.isOfBytes || columns != identity {
        // Different values may be equal in another order, so such an index isn't a key of a schema.
        // An index of only some rows promises less than the key of all rows.
        otherUniqueKeys[index.name] = index.isOfBytes ? columns : []
      } else if index.origin == "pk", !index.isOfBytes || numberedID != nil {
        // An id that is a whole number is the row number, which needs no index.
        oddKeys.append(columns)
      }
    }
  }

  /// The column of an id that is one whole number, or nil.
  var numberedID: String? {
    guard identity.count == 1 else { return nil }
    return columns.first {
      identity.contains(FoldedName($0.name)) && FoldedName.folded($0.type) == "integer"
    }?.name
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
      // SQLite names no column if the key refers to the id of the other table.
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

  func hasRows(_ connection: Connection) throws -> Bool {
    try connection.integer("SELECT 1 FROM \(quotedName) LIMIT 1") != nil
  }

  func rowCount(_ connection: Connection) throws -> Int {
    // COUNT alone is a single step for SQLite. Nothing could end it in a file whose pages lead to
    // each other.
    Int(clamping: try connection.integer("SELECT COALESCE(SUM(1), 0) FROM \(quotedName)") ?? 0)
  }
}
