@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

/// The commits of a file that can be undone and redone, after the file is reopened, too.
///
/// A commit with a name adds a row in its own transaction. A row has two halves. The first one is
/// what the change log writes for the commit: the old values. The second one is what it would write
/// for the opposite commit: the new values.
final class HistoryTable {
  private unowned let connection: StoreConnection
  private var writer: ChangeLogWriter
  /// The changes of the open transaction.
  var update: HistoryUpdate?
  /// True if the last transaction that has written has removed everything.
  private(set) var hasLost = false

  /// A row of the table: the version by which it is found, and that by which it is ordered.
  private struct Row {
    let origin: Int64
    let version: Int64
  }

  /// The rows of the table, each list with the oldest first.
  private struct Rows {
    var undo: ArraySlice<Row> = []
    var redo: ArraySlice<Row> = []
    /// A number that differs after a commit of another connection.
    let dataVersion: Int64
    /// The row that was written last.
    var last: Row?
  }

  /// The rows after the last transaction that has written one.
  ///
  /// The table has no index of its versions, so finding the oldest row reads all.
  private var known: Rows?
  /// The number of times that all rows were read.
  private(set) var readings = 0

  init(_ connection: StoreConnection, _ limits: ChangeLog.Limits) {
    self.connection = connection
    writer = ChangeLogWriter(limit: limits.row)
  }

  /// Creates the table if it doesn't exist.
  static func create(_ connection: Connection) throws {
    try connection.execute("CREATE TABLE IF NOT EXISTS \(StoreTables.history)")
  }

  /// Writes what the open transaction changes.
  ///
  /// A commit that is too large isn't kept, and neither are those before it: they couldn't be
  /// undone without it. If it is short, nothing is kept, because there is no room.
  func write(_ changes: NetChanges, version: Int64, isShort: Bool) throws {
    hasLost = false
    guard let update else { return }
    if isShort { return try lose() }
    var rows = try takeRows()
    if update.origin == nil { try remove(&rows.redo) }
    // A step takes a row from one list to the other, so what the store has forgotten goes before.
    if update.origin != nil || update.earlier < update.limit || update.limit == 0 {
      try remove(&rows, beyond: update.earlier)
    }
    if update.limit == 0 { return }
    let row = Row(origin: update.origin ?? version, version: version)
    guard let old = try content(changes), let new = try content(changes.reversed) else {
      return try lose()
    }
    try connection.query(
      """
      INSERT OR REPLACE INTO signalbox_history (origin, version, isRedo, name, old, new)
      VALUES (?, ?, ?, ?, ?, ?)
      """
    ).run([
      .integer(row.origin), .integer(version), .integer(update.isRedo ? 1 : 0), .text(update.name),
      .bytes(old), .bytes(new),
    ])
    rows.undo.removeAll { $0.origin == row.origin }
    rows.redo.removeAll { $0.origin == row.origin }
    if update.isRedo { rows.redo.append(row) } else { rows.undo.append(row) }
    rows.last = row
    try remove(&rows, beyond: update.limit)
    known = rows
  }

  private func lose() throws {
    try connection.clearHistory()
    hasLost = true
  }

  /// Returns what the change log would write for a commit, or nil if that is too long.
  private func content(_ changes: NetChanges) throws -> [UInt8]? {
    writer.reset()
    for table in changes.tables {
      let layout = try connection.statements(of: table.entity).logLayout
      if !writer.append(table, layout) { return nil }
    }
    return writer.row
  }

  /// Returns the table's rows; they are known again when the transaction has written.
  private func takeRows() throws -> Rows {
    let dataVersion = try connection.integer("PRAGMA data_version") ?? 0
    if let rows = known.take(), rows.dataVersion == dataVersion, try isThere(rows.last) {
      return rows
    }
    readings += 1
    var rows = Rows(dataVersion: dataVersion)
    rows.undo = try self.rows(isRedo: false)
    rows.redo = try self.rows(isRedo: true)
    return rows
  }

  /// Returns false if the transaction that wrote a row was rolled back, or the table was cleared.
  private func isThere(_ row: Row?) throws -> Bool {
    guard let row else { return false }
    let sql = "SELECT version FROM signalbox_history WHERE origin = ?"
    return try connection.integer(sql, [.integer(row.origin)]) == row.version
  }

  private func rows(isRedo: Bool) throws -> ArraySlice<Row> {
    var rows: ArraySlice<Row> = []
    try connection.query(
      "SELECT origin, version FROM signalbox_history WHERE isRedo = ? ORDER BY version"
    ).run([.integer(isRedo ? 1 : 0)]) {
      rows.append(Row(origin: $0.integer(0), version: $0.integer(1)))
    }
    return rows
  }

  /// Removes all commits but for the newest ones that can be undone, and that can be redone.
  private func remove(_ rows: inout Rows, beyond limit: Int) throws {
    try remove(&rows.undo, beyond: limit)
    try remove(&rows.redo, beyond: limit)
  }

  private func remove(_ rows: inout ArraySlice<Row>, beyond limit: Int = 0) throws {
    let excess = max(0, rows.count - limit)
    if excess == 0 { return }
    let deletion = try connection.query("DELETE FROM signalbox_history WHERE origin = ?")
    for row in rows.prefix(excess) { try deletion.run([.integer(row.origin)]) }
    rows.removeFirst(excess)
  }
}

// MARK: Reading

extension HistoryTable {
  /// Returns the names of the commits that can be undone, or redone, oldest first.
  func entries(isRedo: Bool, limit: Int) throws -> [KeptHistory.Entry] {
    var entries: [KeptHistory.Entry] = []
    try connection.query(
      "SELECT name, origin FROM signalbox_history WHERE isRedo = ? ORDER BY version DESC LIMIT ?"
    ).run([.integer(isRedo ? 1 : 0), .integer(Int64(limit))]) {
      entries.append(KeptHistory.Entry(name: $0.value(0).description, origin: $0.integer(1)))
    }
    return entries.reversed()
  }

  /// Returns the changes of a commit, or nil if it isn't kept any more.
  ///
  /// The values that the commit didn't change are those of the file.
  ///
  /// - Throws: ``/EntityStore/StoreError/notFound(_:)`` if an object that was updated isn't there,
  ///   ``/EntityStore/StoreError/unknownEntity(_:)``, or a fault if the row can't be read.
  func changes(of entry: KeptHistory.Entry, isRedo: Bool) throws -> NetChanges? {
    var row: (old: [UInt8], new: [UInt8])?
    try connection.query("SELECT old, new, isRedo FROM signalbox_history WHERE origin = ?")
      .run([.integer(entry.origin)]) {
        guard case .bytes(let old) = $0.value(0), case .bytes(let new) = $0.value(1) else {
          return row = ([], [])
        }
        // Another store may have made the step. Then these are the changes back.
        row = ($0.integer(2) == 1) == isRedo ? (old, new) : (new, old)
      }
    guard let row else { return nil }
    var layouts: [FoldedName: ChangeLogLayout] = [:]
    for entity in connection.known {
      layouts[FoldedName(entity.name)] = try connection.statements(of: entity).logLayout
    }
    var unknown: String?
    let found = HistoryRow(old: row.old, new: row.new) { bytes in
      let name = String(decoding: bytes, as: UTF8.self)
      let layout = layouts[FoldedName(name)]
      if layout == nil { unknown = name }
      return layout
    }
    if let unknown { throw StoreError.unknownEntity(unknown) }
    guard let found else { throw unreadable(entry) }
    return NetChanges(
      try found.changes.map { change in
        let now = try connection.statements(of: change.layout.entity).object(change.id)
        guard let change = try change.change(of: now) else { throw unreadable(entry) }
        return change
      })
  }

  private func unreadable(_ entry: KeptHistory.Entry) -> StoreError {
    .fault(
      .corrupt,
      "\(connection.path): what it keeps of the commit \"\(entry.name)\" can't be read; call clearHistory() of the "
        + "store", path: connection.path)
  }
}

extension NetChanges {
  /// The changes that restore what these change.
  fileprivate var reversed: NetChanges {
    NetChanges(
      tables.lazy.flatMap(\.all).map { ObjectChange(id: $0.id, old: $0.new, new: $0.old) })
  }
}
