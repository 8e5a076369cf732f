@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

// Indexes are brought up to date when a file is opened, and emptied when deleted values are erased.
extension SearchIndexes {
  /// Creates the indexes that don't exist, and brings the others up to date.
  ///
  /// `before` is SQLite's count of changes of the tables before this opening has changed any.
  ///
  /// - Throws: an error of reading or writing; a fault if this SQLite has no FTS5.
  func install(schemaVersion before: Int64, _ reporter: MigrationReporter) throws {
    let tableNames = try TableShape.names(connection)
    for name in try installed() where tableNames[FoldedName(name)] == nil { try drop(name) }
    if tables.isEmpty { return }
    try checkModule()
    try connection.execute("CREATE TABLE IF NOT EXISTS \(StoreTables.search)")
    forgetTransaction()
    let newest = try connection.control.newest()
    for table in tables.values.sorted(by: { $0.quotedName < $1.quotedName })
    where try state(of: table) != State(newest, schemaVersion: before) {
      // Unlike COUNT, it has a step for each row, so a file whose pages lead in circles ends it.
      let count = "SELECT COALESCE(SUM(1), 0) FROM \(table.entity.quotedName)"
      let total = Int(clamping: try connection.integer(count) ?? 0)
      func report(_ completed: Int) throws {
        if total == 0 { return }
        try reporter.report("index words", table.entity.name, min(completed, total), of: total)
      }
      try report(0)
      try rebuild(table, exists: try state(of: table) != nil, report)
      try report(total)
    }
    let now = try state()
    for table in tables.values { try record(table, now) }
  }

  /// Empties all indexes of the file, also those that this store doesn't keep.
  ///
  /// FTS5 leaves deleted words in its pages until it merges them.
  func erase() throws {
    giveUp()
    for name in try installed() {
      if let table = tables.values.first(where: { $0.entity.name == name }),
        try state(of: table) != nil
      {
        try makeEmpty(table)
      } else {
        // The program that keeps it makes it again when it opens the file.
        try drop(name)
      }
    }
  }

  /// Fills the indexes again that have been emptied.
  func fillAgain() throws {
    try begin { _, _ in nil }
    try finish()
  }

  /// Fills all indexes from rows that have been written without them.
  func fill() throws {
    for table in tables.values { try rebuild(table, exists: true) }
    let now = try state()
    for table in tables.values { try record(table, now) }
  }

  /// Returns the names of the entities that have an index in the file.
  private func installed() throws -> [String] {
    guard try connection.hasTable("signalbox_search") else { return [] }
    return try connection.texts("SELECT entity FROM signalbox_search")
  }

  /// Throws if this SQLite has no FTS5.
  func checkModule() throws {
    let sql = "SELECT 1 FROM pragma_module_list WHERE name = 'fts5'"
    if try connection.integer(sql) != nil { return }
    let entity = tables.values.map(\.entity.name).min() ?? ""
    throw StoreError.fault(
      .schemaMismatch,
      "\(connection.path): \(entity) has a rule .fullText, and this build of SQLite has no FTS5; use one that is built "
        + "with SQLITE_ENABLE_FTS5, or take the rule out", path: connection.path)
  }
}
