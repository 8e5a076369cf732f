internal import EntityStore

/// Looks whether the trees of a file's tables and indexes are as small as the file.
///
/// A page that is led to twice has the same rows twice, so the numbers of a table's rows don't grow there; and an
/// index has no more entries than its table has rows. A page that several long values lead to has bytes of each, so
/// all values together have no more bytes than the file. All this is seen in a scan that ends where it is so. SQLite's
/// own `PRAGMA quick_check` would look at more, and a crafted file can make it use up the thread's stack.
struct TreeCheck {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// Throws if a tree has more than there is room for.
  ///
  /// - Parameters:
  ///   - name: the only table to look at; all of them if it is nil.
  ///   - isForCopy: whether all that there is is about to be copied, so that nothing may be left out.
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` of the kind `corrupt`, or what reading throws; of the kind
  ///   `schemaMismatch` if something had to be left out that may not be.
  func check(_ name: String? = nil, isForCopy: Bool = false) throws {
    let isInTransaction = connection.isInTransaction
    if !isInTransaction { try connection.execute("BEGIN") }
    defer { if !isInTransaction { try? connection.execute("ROLLBACK") } }
    let schema = try FileSchema(connection)
    let only = name.map { FoldedName($0) }
    func leaveOut(_ object: FileSchema.Object) throws {
      guard isForCopy else { return }
      throw schema.fault(
        .schemaMismatch,
        "nobody can tell how much the \(object.kind) \"\(object.name)\" of another program has, and all that there "
          + "is is to be copied; drop it with the sqlite3 shell and try again")
    }
    // What another program's condition calls may take any time; no query of ours uses such an index. The entries of
    // one without a condition can be gone through without working anything out.
    let left = schema.objects.filter {
      $0.kind == "index" && $0.words.contains("WHERE") && FileSchema.longCall($0.words.words) != nil
    }
    for index in left { try leaveOut(index) }
    let calling = Set(left.map { FoldedName($0.name) })
    for object in schema.objects
    where object.isTable && only.map({ $0 == FoldedName(object.name) }) ?? true {
      do {
        try check(object, calling)
      } catch StoreError.storage(let fault) where fault.code == 1 {
        // It isn't what its text looks like, so it is in no entity's place, and nothing of ours reads it.
        try leaveOut(object)
      }
    }
  }

  private func check(_ object: FileSchema.Object, _ calling: Set<FoldedName>) throws {
    let table = object.name
    var taken: Set<FoldedName> = []
    var columns: [String] = []
    // Rows from before a column was added don't have its value; as SQL it is as long at least.
    var defaults: Int64 = 0
    try connection.query("SELECT name, hidden, dflt_value FROM pragma_table_xinfo(?)")
      .run([.text(table)]) {
        let name = $0.value(0).description
        taken.insert(FoldedName(name))
        // What is worked out when it is read may take any time.
        if $0.integer(1) == 0 { columns.append(SQLName.quoted(name)) }
        if case .text(let value) = $0.value(2) { defaults += Int64(value.utf8.count) }
      }
    // Columns may have all names of the row number; then nobody can ask for it.
    let names = ["rowid", "oid", "_rowid_"]
    guard object.hasRowNumbers, let number = names.first(where: { !taken.contains(FoldedName($0)) })
    else {
      return try checkIndexes(of: table, calling, rows: try countBounded(table))
    }
    var count: Int64 = 0
    var room = try Room(connection)
    // A result has no more columns than a table, and the number is one more.
    for start in stride(from: 0, to: max(columns.count, 1), by: Self.columnsAtOnce) {
      let some = columns[start..<min(start + Self.columnsAtOnce, columns.count)]
      var last: Int64?
      count = 0
      try connection.query(
        "SELECT \(([number] + some).joined(separator: ", ")) FROM \(SQLName.quoted(table)) NOT INDEXED ORDER BY \(number)"
      ).run { row in
        if let last, row.integer(0) <= last { throw Self.fault(connection.path) }
        last = row.integer(0)
        count += 1
        try room.take(row, columns: 1..<some.count + 1, besides: defaults)
      }
    }
    try checkIndexes(of: table, calling, rows: count)
  }

  private static let columnsAtOnce = 1000

  /// How many entries a tree has whose rows can't be told apart by a number; no file has more than one for four bytes.
  private func countBounded(_ table: String) throws -> Int64 {
    let bytes = try Room(connection).bytes
    var count: Int64 = 0
    try connection.query("SELECT 1 FROM \(SQLName.quoted(table)) NOT INDEXED").run { _ in
      count += 1
      if count > bytes / 4 { throw Self.fault(connection.path) }
    }
    return count
  }

  /// The bytes that values may have.
  private struct Room {
    private let path: String
    let bytes: Int64
    private var taken: Int64 = 0

    init(_ connection: Connection) throws {
      path = connection.path
      var bytes: Int64 = 1
      for name in ["page_count", "page_size"] {
        try connection.query("PRAGMA \(name)").run {
          bytes = bytes.multipliedReportingOverflow(by: $0.integer(0)).partialValue
        }
      }
      // Holes have pages that are counted, too.
      let onDisk = connection.stepWatch.bytes
      self.bytes = onDisk > 0 ? min(bytes, onDisk) : bytes
    }

    /// Takes what a row's columns have, but for so many bytes that may stand elsewhere.
    mutating func take(_ row: Statement, columns: Range<Int>, besides others: Int64 = 0) throws {
      var sum: Int64 = 0
      for column in columns { sum += row.length(column) }
      taken += max(0, sum - others)
      if taken > bytes { throw TreeCheck.fault(path) }
    }
  }

  private func checkIndexes(of table: String, _ calling: Set<FoldedName>, rows: Int64) throws {
    var indexes: [(name: String, condition: String)] = []
    try connection.query(
      """
      SELECT list.name, list.partial, sql FROM pragma_index_list(?) AS list
      LEFT JOIN sqlite_master ON type = 'index' AND sqlite_master.name = list.name
      """
    ).run([.text(table)]) {
      // A condition has to be said as the index has it, or it can't be asked for.
      let condition = $0.integer(1) == 0 ? "" : Self.condition($0.value(2).description)
      indexes.append(($0.value(0).description, condition))
    }
    for index in indexes where !calling.contains(FoldedName(index.name)) {
      var entries: Int64 = 0
      var room = try Room(connection)
      var columns = ["1"]
      try connection.query(
        "SELECT name FROM pragma_index_xinfo(?) WHERE key AND name IS NOT NULL"
      ).run([.text(index.name)]) { columns.append(SQLName.quoted($0.value(0).description)) }
      do {
        // The index has all of these, so the table isn't read.
        try connection.query(
          "SELECT \(columns.joined(separator: ", ")) FROM \(SQLName.quoted(table)) "
            + "INDEXED BY \(SQLName.quoted(index.name)) \(index.condition)"
        ).run { row in
          entries += 1
          if entries > rows { throw Self.fault(connection.path) }
          try room.take(row, columns: 0..<columns.count)
        }
      } catch StoreError.storage(let fault) where fault.code == 1 {
        // What SQLite can't use for its own condition it uses for no other query either.
      }
    }
  }

  /// The condition of a partial index, with the word WHERE, as its text has it.
  private static func condition(_ sql: String) -> String {
    let words = SQLWords(sql)
    // The expressions before it have none of their own.
    guard let index = words.words.firstIndex(of: "WHERE") else { return "" }
    return String(decoding: sql.utf8.dropFirst(words.places[index]), as: UTF8.self)
  }

  /// What is wrong where a tree has more than there is room for.
  static func fault(_ path: String) -> StoreError {
    .storage(
      StorageFault(
        .corrupt,
        "\(path): it is damaged, its tables, indexes or long values lead to the same pages many times; put back a copy",
        path: path))
  }
}
