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
    if update.origin == nil { try remove(isRedo: true) }
    // A step takes a row from one list to the other, so what the store has forgotten goes before.
    if update.origin != nil || update.earlier < update.limit || update.limit == 0 {
      try remove(beyond: update.earlier)
    }
    if update.limit == 0 { return }
    let origin = StoredValue.integer(update.origin ?? version)
    guard let old = try content(changes), let new = try content(changes.reversed) else {
      return try lose()
    }
    try connection.query(
      """
      INSERT OR REPLACE INTO signalbox_history (origin, version, isRedo, name, old, new)
      VALUES (?, ?, ?, ?, ?, ?)
      """
    ).run([
      origin, .integer(version), .integer(update.isRedo ? 1 : 0), .text(update.name), .bytes(old),
      .bytes(new),
    ])
    try remove(beyond: update.limit)
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

  /// Removes all commits but for the newest ones that can be undone, and that can be redone.
  private func remove(beyond limit: Int) throws {
    for isRedo in [false, true] { try remove(isRedo: isRedo, beyond: limit) }
  }

  private func remove(isRedo: Bool, beyond limit: Int = 0) throws {
    let kind = StoredValue.integer(isRedo ? 1 : 0)
    try connection.query(
      """
      DELETE FROM signalbox_history WHERE isRedo = ? AND version <= (SELECT version
      FROM signalbox_history WHERE isRedo = ? ORDER BY version DESC LIMIT 1 OFFSET ?)
      """
    ).run([kind, kind, .integer(Int64(limit))])
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
