internal import SQLiteLibrary
@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

/// The indexes of words of a connection's entities.
///
/// A store keeps them up to date in the same transaction as the rows. The file has, for each index,
/// the state of the file with which it was last up to date. Other tools write rows and leave the
/// index behind, and so do programs that don't know it. The next commit that writes brings it up to
/// date first. Until then, queries look at each row.
final class SearchIndexes {
  unowned let connection: StoreConnection
  let tables: [EntityDescription: SearchTable]
  /// The indexes that this connection keeps up to date, and the state for which that is known.
  private var kept: [SearchTable] = []
  private var keptState: State?
  /// The indexes that the open transaction has written to.
  private var written: Set<EntityDescription> = []
  /// The indexes that the open transaction makes again, because the change log isn't enough.
  private var behind: Set<EntityDescription> = []
  /// The indexes that it makes again because they are damaged.
  private var damaged: Set<EntityDescription> = []
  /// The numbers of words that the open transaction has added to each index.
  private var growth: [EntityDescription: Int] = [:]

  /// A state of the file: its last commit, and SQLite's count of changes of the tables.
  ///
  /// A version alone may repeat, in a copy or after the log was emptied. A table may have been
  /// created again, and `VACUUM` may change row numbers: both change the count.
  struct State: Equatable {
    let version: Int64
    let token: Int64
    let schemaVersion: Int64

    init(_ newest: (version: Int64, token: Int64), schemaVersion: Int64) {
      (version, token) = newest
      self.schemaVersion = schemaVersion
    }
  }

  /// The least row number of an index in the table of indexes.
  ///
  /// A copy made from SQL, as by `.dump`, numbers the rows of its tables from 1 on. The index that
  /// it contains still refers to the old numbers. A lower row number in the table of indexes shows
  /// that the file is such a copy, so the index isn't used.
  private static let leastRowNumber: Int64 = 1 << 32

  init(_ connection: StoreConnection, _ entities: some Sequence<EntityDescription>) {
    self.connection = connection
    let tables = entities.compactMap(SearchTable.init)
    self.tables = Dictionary(uniqueKeysWithValues: tables.map { ($0.entity, $0) })
  }

  /// Returns the index of an entity if it is up to date with the open transaction.
  func table(of entity: EntityDescription) -> SearchTable? {
    guard let table = tables[entity], let now = try? state(),
      let state = try? state(of: table), state == now
    else { return nil }
    return table
  }

  /// Returns the number of words of an entity's texts, or nil if the index isn't up to date.
  func wordCount(of entity: EntityDescription) throws -> Int? {
    guard table(of: entity) != nil else { return nil }
    let sql = "SELECT words FROM signalbox_search WHERE entity = ?"
    return try connection.integer(sql, [.text(entity.name)]).map { max(0, Int(clamping: $0)) }
  }

  func state() throws -> State {
    State(
      try connection.control.newest(), schemaVersion: try connection.schemaVersion)
  }

  /// Returns the state with which an index is up to date, or nil if the file has none with these
  /// attributes.
  func state(of table: SearchTable) throws -> State? {
    var state: State?
    try connection.query(
      """
      SELECT version, token, layout FROM signalbox_search
      WHERE entity = ? AND attributes = ? AND rowid >= \(Self.leastRowNumber)
      """
    ).run([.text(table.entity.name), .text(table.attributes)]) {
      state = State(($0.integer(0), $0.integer(1)), schemaVersion: $0.integer(2))
    }
    return state
  }

  // MARK: Writing

  /// Brings the indexes up to date before rows are written.
  ///
  /// `changes` returns the changes since a version, or nil if they aren't known.
  func begin(_ changes: (Int64, Set<EntityDescription>) throws -> NetChanges?) throws {
    forgetTransaction()
    if tables.isEmpty { return }
    let now = try state()
    if now == keptState { return }
    keptState = nil
    kept = []
    for table in tables.values {
      // Another version of the app may have given it other attributes. That version keeps it.
      guard let state = try state(of: table) else { continue }
      kept.append(table)
      if state == now { continue }
      // The number of a row that was deleted isn't known, unless the numbers are the ids.
      if state.schemaVersion == now.schemaVersion,
        ChangeLog.versions(in: Int.self).contains(state.version), state.version < now.version,
        try connection.control.token(of: state.version) == state.token,
        let changes = try changes(state.version, [table.entity]),
        table.isNumberedByID || (changes.isEmpty && changes.rewritten.isEmpty)
      {
        try write(changes, to: [table], isAdding: false)
        try write(changes, to: [table], isAdding: true)
      } else {
        behind.insert(table.entity)
      }
    }
  }

  func forgetTransaction() {
    (growth, written, behind, damaged) = ([:], [], [], [])
  }

  private func isMadeAgain(_ table: SearchTable) -> Bool {
    behind.contains(table.entity) || damaged.contains(table.entity)
  }

  /// Leaves the indexes behind in this transaction, because there is no room for more.
  func giveUp() {
    (kept, keptState) = ([], nil)
    forgetTransaction()
  }

  /// Removes the words of rows that are about to change.
  func remove(_ changes: NetChanges) throws { try write(changes, to: kept, isAdding: false) }

  /// Adds the words of rows that have changed.
  func insert(_ changes: NetChanges) throws { try write(changes, to: kept, isAdding: true) }

  /// Adds the words of the rows after their changes, or removes those of the rows before them.
  private func write(_ changes: NetChanges, to tables: [SearchTable], isAdding: Bool) throws {
    for table in tables where !isMadeAgain(table) {
      guard let changes = changes[table.entity] else { continue }
      let all = changes.all
      do {
        // Positions are used, so that no change is copied.
        for place in all.indices where isTouched(all[place], table) {
          written.insert(table.entity)
          guard let row = isAdding ? all[place].new : all[place].old,
            let number = try number(of: row, table)
          else { continue }
          let words = table.words(of: row)
          growth[table.entity, default: 0] += isAdding ? words.count : -words.count
          try connection.query(isAdding ? table.insertSQL : table.deleteSQL)
            .run([.integer(number)] + words.texts)
        }
      } catch StoreError.storage(let fault) where Self.isDamage(fault) {
        try connection.checkIsInTransaction()
        // Everything in the index follows from the rows, so it is made again.
        damaged.insert(table.entity)
      }
    }
  }

  /// Returns true if a fault may be one of the index itself.
  private static func isDamage(_ fault: StorageFault) -> Bool {
    let codes = [SQLITE_CORRUPT, SQLITE_CONSTRAINT, SQLITE_ERROR, SQLITE_MISMATCH]
    return codes.contains(Int32(fault.code ?? 0) & 0xFF)
  }

  /// Returns true if a change touches the words of a row, or the row's number.
  private func isTouched(_ change: ObjectChange, _ table: SearchTable) -> Bool {
    guard let old = change.old, let new = change.new else { return true }
    if table.entity.fullText.contains(where: { !old.isEqual(to: new, at: $0) }) { return true }
    // A row whose unique key changes may be deleted and inserted.
    return !table.isNumberedByID && change.changesKey(table.entity)
  }

  private func number(of row: EntityRow, _ table: SearchTable) throws -> Int64? {
    if table.isNumberedByID {
      // The row may not exist any more.
      switch row.id {
      case .integer(let id): return id
      case .list(let parts): if case .integer(let id)? = parts.first { return id }
      default: break
      }
    }
    let entity = table.entity
    return try connection.integer(
      entity.rowNumberSQL(), entity.sqlValues([row.id], of: [entity.identity]))
  }

  /// Records that the indexes are up to date with the commit that has just been written.
  func finish() throws {
    if kept.isEmpty { return }
    if !written.isEmpty { try flush() }
    for table in kept where isMadeAgain(table) { try rebuild(table, exists: true) }
    // The tables of the indexes are the store's own. Their change doesn't make the next version of
    // another program inexact.
    if !damaged.isEmpty { try connection.schemaWatch?.check() }
    (behind, damaged) = ([], [])
    let now = try state()
    for table in kept { try record(table, now) }
    keptState = now
  }

  /// Has FTS5 write its pages, so that damage is found before the commit.
  private func flush() throws {
    do {
      try connection.query("SAVEPOINT signalbox_words").run()
      try connection.query("RELEASE signalbox_words").run()
    } catch StoreError.storage(let fault) where Self.isDamage(fault) {
      try connection.checkIsInTransaction()
      damaged.formUnion(written)
    }
  }

  func record(_ table: SearchTable, _ state: State) throws {
    try connection.query(
      """
      UPDATE signalbox_search SET version = ?, token = ?, layout = ?,
      words = max(0, min(words, 1000000000000000)) + ? WHERE entity = ?
      """
    ).run([
      .integer(state.version), .integer(state.token), .integer(state.schemaVersion),
      .integer(Int64(growth.removeValue(forKey: table.entity) ?? 0)), .text(table.entity.name),
    ])
  }

  /// Makes an index again, from the rows.
  ///
  /// An index that `exists` keeps its table, unless that is damaged. Another table would change
  /// SQLite's count of changes of the tables, and other stores would then read all results again.
  func rebuild(
    _ table: SearchTable, exists: Bool, _ progress: (_ completed: Int) throws -> Void = { _ in }
  ) throws {
    if exists {
      // The table is emptied in one step.
      try connection.stepWatch.checkTrees()
      if !damaged.contains(table.entity), try refill(table, progress) { return }
      // Words that FTS5 hasn't written yet would be written into the damaged pages by DROP.
      try? connection.query(table.deleteAllSQL).run()
      // A failed read undoes the commit. The rest would be written all the same.
      try connection.checkIsInTransaction()
    }
    try makeEmpty(table)
    try fill(table, progress)
  }

  /// Makes an index again in its own table, and returns false if that table is damaged.
  private func refill(
    _ table: SearchTable, _ progress: (_ completed: Int) throws -> Void
  ) throws -> Bool {
    do {
      try connection.query(table.deleteAllSQL).run()
      try connection.query("UPDATE signalbox_search SET words = 0 WHERE entity = ?")
        .run([.text(table.entity.name)])
      try fill(table, progress)
      return true
    } catch StoreError.storage(let fault) where Self.isDamage(fault) {
      try connection.checkIsInTransaction()
      damaged.insert(table.entity)
      return false
    }
  }

  /// Adds the words of all rows to an empty index.
  private func fill(_ table: SearchTable, _ progress: (_ completed: Int) throws -> Void) throws {
    growth[table.entity] = 0
    let count = table.entity.fullText.count
    var completed = 0
    try connection.query(table.textsSQL).run { row in
      let words = SearchTable.words(of: (1...count).lazy.map { row.value($0) })
      // It is looked up each time: while the texts are read, the cache may give up the others.
      try connection.query(table.insertSQL).run([row.value(0)] + words.texts)
      growth[table.entity, default: 0] += words.count
      completed += 1
      if completed % TableEditor.batch == 0 { try progress(completed) }
    }
  }

  /// Puts an index without words in the place of the one that there is, behind the file's state.
  func makeEmpty(_ table: SearchTable) throws {
    try drop(table.entity.name)
    try connection.execute(table.createSQL, readsTables: true)
    try connection.query(
      """
      INSERT INTO signalbox_search (rowid, entity, attributes, version, token, layout, words)
      VALUES (?, ?, ?, -1, 0, 0, 0)
      """
    ).run([
      .integer(.random(in: Self.leastRowNumber...(.max / 2))), .text(table.entity.name),
      .text(table.attributes),
    ])
  }

  /// Drops the index of an entity, if there is one.
  func drop(_ entity: String) throws {
    // SQLite empties trees in one step, in which a crafted file could end the program.
    try connection.stepWatch.checkTrees()
    try connection.execute(
      "DROP TABLE IF EXISTS \(SQL.quoted(StoreTables.searchName(of: entity)))",
      readsTables: true)
    try connection.query("DELETE FROM signalbox_search WHERE entity = ?").run([.text(entity)])
  }
}
