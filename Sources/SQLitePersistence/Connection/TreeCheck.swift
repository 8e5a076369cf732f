internal import EntityStore

/// A check that the trees of a file's tables and indexes are no larger than the file.
///
/// If two pages lead to one page, its rows appear twice, and the row numbers of the table don't
/// increase there. An index has no more entries than its table has rows. If several long values
/// lead to one page, its bytes are part of each of them. In a sound file, all values together have
/// no more bytes than the file. The check sees all this in a scan, and ends the scan at the first
/// fault. SQLite's own `PRAGMA quick_check` would check more, but a crafted file can make it
/// overflow the thread's stack.
struct TreeCheck {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// Throws if a tree contains more than the file has room for.
  ///
  /// If everything is about to be copied, nothing may be left out.
  ///
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` of the kind `corrupt`, or an error of
  ///   reading. The kind is `schemaMismatch` if something would have to be left out of a copy.
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
    // The condition of another program's index may call a function that takes any time. No query of
    // the library uses such an index. The entries of an index without a condition can be scanned
    // without evaluating anything.
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
        // The object isn't what its text looks like. So it doesn't stand for an entity's table, and
        // the library doesn't read it.
        try leaveOut(object)
      }
    }
  }

  private func check(_ object: FileSchema.Object, _ calling: Set<FoldedName>) throws {
    let table = object.name
    var taken: Set<FoldedName> = []
    var columns: [String] = []
    // Rows written before a column was added don't store its default. The default's text in SQL is
    // at least as long as its value.
    var defaults: Int64 = 0
    try connection.query("SELECT name, hidden, dflt_value FROM pragma_table_xinfo(?)")
      .run([.text(table)]) {
        let name = $0.value(0).description
        taken.insert(FoldedName(name))
        // A column that is computed when it is read may take any time.
        if $0.integer(1) == 0 { columns.append(SQL.quoted(name)) }
        if case .text(let value) = $0.value(2) { defaults += Int64(value.utf8.count) }
      }
    // If columns use all names of the row number, no query can read it.
    let names = ["rowid", "oid", "_rowid_"]
    guard object.hasRowNumbers, let number = names.first(where: { !taken.contains(FoldedName($0)) })
    else {
      return try checkIndexes(of: table, calling, rows: try countBounded(table))
    }
    var count: Int64 = 0
    var room = try Room(connection)
    // A result can't have more columns than a table, and the row number is one more.
    for start in stride(from: 0, to: max(columns.count, 1), by: Self.columnsAtOnce) {
      let some = columns[start..<min(start + Self.columnsAtOnce, columns.count)]
      var last: Int64?
      count = 0
      try connection.query(
        "SELECT \(([number] + some).joined(separator: ", ")) FROM \(SQL.quoted(table)) NOT INDEXED ORDER BY \(number)"
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

  /// Returns the number of entries of a tree whose rows can't be distinguished by a number.
  ///
  /// No file has more than one entry for four bytes.
  private func countBounded(_ table: String) throws -> Int64 {
    let bytes = try Room(connection).bytes
    var count: Int64 = 0
    try connection.query("SELECT 1 FROM \(SQL.quoted(table)) NOT INDEXED").run { _ in
      count += 1
      if count > bytes / 4 { throw Self.fault(connection.path) }
    }
    return count
  }

  /// The number of bytes that values may have together.
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
      // The page count includes the pages of holes. Pages that a migration has just written may not
      // be on the disk yet.
      let onDisk = connection.stepWatch.bytes
      self.bytes = onDisk > 0 ? min(bytes, onDisk + connection.unwrittenBytes) : bytes
    }

    /// Counts the bytes of a row's columns, except for `others` bytes that may be stored elsewhere.
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
      // A query must repeat the condition exactly as the index has it, or SQLite can't use the
      // index.
      let condition = $0.integer(1) == 0 ? "" : Self.condition($0.value(2).description)
      indexes.append(($0.value(0).description, condition))
    }
    for index in indexes where !calling.contains(FoldedName(index.name)) {
      var entries: Int64 = 0
      var room = try Room(connection)
      var columns = ["1"]
      try connection.query(
        "SELECT name FROM pragma_index_xinfo(?) WHERE key AND name IS NOT NULL"
      ).run([.text(index.name)]) { columns.append(SQL.quoted($0.value(0).description)) }
      do {
        // The index has all of these columns, so the table isn't read.
        try connection.query(
          "SELECT \(columns.joined(separator: ", ")) FROM \(SQL.quoted(table)) "
            + "INDEXED BY \(SQL.quoted(index.name)) \(index.condition)"
        ).run { row in
          entries += 1
          if entries > rows { throw Self.fault(connection.path) }
          try room.take(row, columns: 0..<columns.count)
        }
      } catch StoreError.storage(let fault) where fault.code == 1 {
        // SQLite can't use the index for its own condition, so it uses it for no other query
        // either.
      }
    }
  }

  /// Returns the condition of a partial index as its text has it, with the word WHERE.
  private static func condition(_ sql: String) -> String {
    let words = SQLWords(sql)
    // The expressions before the condition have no WHERE.
    guard let index = words.words.firstIndex(of: "WHERE") else { return "" }
    return String(decoding: sql.utf8.dropFirst(words.places[index]), as: UTF8.self)
  }

  /// Returns the error of a file with a tree that contains more than the file has room for.
  static func fault(_ path: String) -> StoreError {
    .fault(
      .corrupt,
      "\(path): it is damaged, its tables, indexes or long values lead to the same pages many times; put back a copy",
      path: path)
  }
}
