@_spi(Storage) internal import EntityStore

/// The indexes of words of a connection's entities.
///
/// A store keeps them up to date in the same transaction as the rows. The file has, for each index,
/// the version at which it was last up to date. Other tools write rows and leave the index behind,
/// and so do programs that don't know it. The next commit brings it up to date first. Until then,
/// queries look at each row.
///
/// The row number of an object whose id isn't a whole number may change when somebody vacuums the
/// file. That changes SQLite's count of changes of the tables, so the index has this number, too.
final class SearchIndexes {
  private unowned let connection: Connection
  private let tables: [EntityDescription: SearchTable]
  /// The indexes that this connection keeps up to date, and the state for which that is known.
  private var kept: [SearchTable] = []
  private var keptState: State?
  /// The numbers of words that the open transaction has added to each index.
  private var growth: [EntityDescription: Int] = [:]

  /// The version and the layout of the tables with which an index is up to date.
  private struct State: Equatable {
    var version: Int64
    var layout: Int64
  }

  init(_ connection: Connection, _ entities: some Sequence<EntityDescription>) {
    self.connection = connection
    let tables = entities.compactMap(SearchTable.init)
    self.tables = Dictionary(uniqueKeysWithValues: tables.map { ($0.entity, $0) })
  }

  var isEmpty: Bool { tables.isEmpty }

  /// Returns the index of an entity if it is up to date with a version.
  func table(of entity: EntityDescription, at version: Int64) -> SearchTable? {
    guard let table = tables[entity], let layout = try? UnknownReferrers.schema(connection),
      let state = try? state(of: table),
      isCurrent(table, state, State(version: version, layout: layout))
    else { return nil }
    return table
  }

  /// Returns the number of words of an entity's texts, or nil if the index isn't up to date.
  func wordCount(of entity: EntityDescription, at version: Int64) throws -> Int? {
    guard table(of: entity, at: version) != nil else { return nil }
    var count: Int?
    try connection.query("SELECT words FROM signalbox_search WHERE entity = ?")
      .run([.text(entity.name)]) { count = Int(clamping: $0.integer(0)) }
    return count
  }

  private func isCurrent(_ table: SearchTable, _ state: State, _ now: State) -> Bool {
    state.version == now.version && (table.isNumberedByID || state.layout == now.layout)
  }

  /// Returns what an index is up to date with, or nil if the file has none with these attributes.
  private func state(of table: SearchTable) throws -> State? {
    var state: State?
    try connection.query(
      "SELECT version, layout FROM signalbox_search WHERE entity = ? AND attributes = ?"
    ).run([.text(table.entity.name), .text(table.attributes)]) {
      state = State(version: $0.integer(0), layout: $0.integer(1))
    }
    return state
  }

  // MARK: Writing

  /// Brings the indexes up to date at the beginning of a write transaction.
  ///
  /// - Parameters:
  ///   - version: the last version.
  ///   - changes: returns the changes since a version, or nil if they aren't known.
  /// - Throws: an error of reading or writing.
  func begin(
    at version: Int64, _ changes: (Int64, Set<EntityDescription>) throws -> NetChanges?
  ) throws {
    growth = [:]
    if tables.isEmpty { return }
    let now = State(version: version, layout: try UnknownReferrers.schema(connection))
    if now == keptState { return }
    keptState = nil
    kept = []
    for table in tables.values {
      // Another version of the app has given it other attributes. That version keeps it.
      guard let state = try state(of: table) else { continue }
      kept.append(table)
      if isCurrent(table, state, now) { continue }
      if table.isNumberedByID, state.version < version,
        let changes = try changes(state.version, [table.entity])
      {
        try remove(changes)
        try insert(changes)
      } else {
        try rebuild(table)
      }
    }
  }

  /// Removes the words of rows that are about to change.
  func remove(_ changes: NetChanges) throws {
    try forEachRow(of: changes) { table, change in
      guard let old = change.old, let number = try number(of: old, table) else { return }
      growth[table.entity, default: 0] -= old.wordCount
      try connection.query(table.deleteSQL).run([.integer(number)] + table.words(of: old))
    }
  }

  /// Adds the words of rows that have changed.
  func insert(_ changes: NetChanges) throws {
    try forEachRow(of: changes) { table, change in
      guard let new = change.new, let number = try number(of: new, table) else { return }
      growth[table.entity, default: 0] += new.wordCount
      try connection.query(table.insertSQL).run([.integer(number)] + table.words(of: new))
    }
  }

  private func forEachRow(
    of changes: NetChanges, _ body: (SearchTable, ObjectChange) throws -> Void
  ) throws {
    for table in kept {
      guard let changes = changes[table.entity] else { continue }
      let all = changes.all
      // Positions are used, so that no change is copied.
      for place in all.indices where isTouched(all[place], table) {
        try body(table, all[place])
      }
    }
  }

  /// Returns true if a change touches the words of a row, or the row's number.
  private func isTouched(_ change: ObjectChange, _ table: SearchTable) -> Bool {
    guard let old = change.old, let new = change.new else { return true }
    if table.entity.fullText.contains(where: { !old.isEqual(to: new, at: $0) }) { return true }
    // A row whose unique key changes is deleted and inserted.
    return !table.isNumberedByID
      && table.entity.uniqueKeys.contains { $0.contains { !old.isEqual(to: new, at: $0) } }
  }

  private func number(of row: EntityRow, _ table: SearchTable) throws -> Int64? {
    if table.isNumberedByID, case .integer(let id) = row.id { return id }
    var number: Int64?
    let entity = table.entity
    try connection.query(try entity.rowNumberSQL())
      .run(entity.sqlValues([row.id], of: [entity.identity])) { number = $0.integer(0) }
    return number
  }

  /// Records that the indexes are up to date with a version that is about to be committed.
  func finish(at version: Int64) throws {
    if kept.isEmpty { return }
    let layout = try UnknownReferrers.schema(connection)
    for table in kept { try record(table, State(version: version, layout: layout)) }
    keptState = State(version: version, layout: layout)
  }

  /// Forgets what is known, because a transaction was rolled back.
  func forget() { keptState = nil }

  private func record(_ table: SearchTable, _ state: State) throws {
    try connection.query(
      "UPDATE signalbox_search SET version = ?, layout = ?, words = words + ? WHERE entity = ?"
    ).run([
      .integer(state.version), .integer(state.layout),
      .integer(Int64(growth.removeValue(forKey: table.entity) ?? 0)), .text(table.entity.name),
    ])
  }

  /// Makes all indexes again, so that no word of a deleted row is left in them.
  func rebuildAll() throws {
    for table in kept { try rebuild(table) }
  }

  private func rebuild(
    _ table: SearchTable, _ progress: (_ completed: Int) throws -> Void = { _ in }
  ) throws {
    try connection.query(table.clearSQL).run()
    try connection.query("UPDATE signalbox_search SET words = 0 WHERE entity = ?")
      .run([.text(table.entity.name)])
    growth[table.entity] = 0
    let count = table.entity.fullText.count
    let insert = try connection.query(table.insertSQL)
    var completed = 0
    try connection.query(table.textsSQL).run { row in
      let words = (0..<count).map { SearchTable.words(of: row.value($0 + 1)) }
      try insert.run([row.value(0)] + words.map(\.text))
      growth[table.entity, default: 0] += words.reduce(0) { $0 + $1.count }
      completed += 1
      if completed % TableEditor.batch == 0 { try progress(completed) }
    }
  }
}

// MARK: Opening

extension SearchIndexes {
  /// Creates the indexes that don't exist, and brings the others up to date.
  ///
  /// - Parameters:
  ///   - known: all entities with which the store is opened.
  ///   - before: SQLite's count of changes of the tables before this opening has changed any.
  ///   - reporter: the reporter of progress.
  /// - Throws: an error of reading or writing; a fault if this SQLite has no FTS5.
  func install(
    _ known: [EntityDescription], layout before: Int64, _ reporter: MigrationReporter
  ) throws {
    try dropOthers(known)
    if tables.isEmpty { return }
    try checkModule()
    try connection.execute("CREATE TABLE IF NOT EXISTS \(StoreTables.search)")
    let version = try ChangeLog.version(connection)
    for table in tables.values.sorted(by: { $0.quotedName < $1.quotedName }) {
      if let state = try state(of: table),
        isCurrent(table, state, State(version: version, layout: before))
      {
        continue
      }
      try connection.execute("DROP TABLE IF EXISTS \(table.quotedName)", readsTables: true)
      try connection.execute(table.createSQL, readsTables: true)
      try connection.query(
        "INSERT OR REPLACE INTO signalbox_search (entity, attributes, version, layout, words) VALUES (?, ?, 0, 0, 0)"
      ).run([.text(table.entity.name), .text(table.attributes)])
      let total = try count(table)
      if total > 0 { try reporter.report("index words", table.entity.name, 0, of: total) }
      try rebuild(table) { completed in
        try reporter.report("index words", table.entity.name, min(completed, total), of: total)
      }
      if total > 0 { try reporter.report("index words", table.entity.name, total, of: total) }
    }
    let layout = try UnknownReferrers.schema(connection)
    for table in tables.values { try record(table, State(version: version, layout: layout)) }
  }

  private func count(_ table: SearchTable) throws -> Int {
    var count = 0
    try connection.query("SELECT COUNT(*) FROM \(table.entity.quotedName)").run {
      count = Int(clamping: $0.integer(0))
    }
    return count
  }

  /// Drops the indexes of entities that have no such rule any more, or no table.
  private func dropOthers(_ known: [EntityDescription]) throws {
    var isThere = false
    try connection.query(
      "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'signalbox_search'"
    )
    .run { _ in isThere = true }
    guard isThere else { return }
    var others: [String] = []
    let names = try TableShape.names(connection)
    let without = Set(known.filter { tables[$0] == nil }.map { FoldedName($0.name) })
    try connection.query("SELECT entity FROM signalbox_search").run {
      let name = $0.value(0).description
      if without.contains(FoldedName(name)) || names[FoldedName(name)] == nil {
        others.append(name)
      }
    }
    for name in others {
      try connection.execute(
        "DROP TABLE IF EXISTS \(SQLName.quoted(StoreTables.searchPrefix + name))", readsTables: true
      )
      try connection.query("DELETE FROM signalbox_search WHERE entity = ?").run([.text(name)])
    }
  }

  /// Throws if this SQLite has no FTS5.
  func checkModule() throws {
    var isThere = false
    try connection.query("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'").run { _ in
      isThere = true
    }
    if isThere { return }
    let entity = tables.values.map(\.entity.name).min() ?? ""
    throw StoreError.storage(
      StorageFault(
        .schemaMismatch,
        "\(connection.path): \(entity) has a rule .fullText, and this build of SQLite has no FTS5; use one that is built "
          + "with SQLITE_ENABLE_FTS5, or take the rule out", path: connection.path))
  }
}
