@_spi(Storage) internal import EntityStore

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
  /// undone without it.
  ///
  /// - Parameters:
  ///   - changes: the changes of the commit.
  ///   - version: the commit's version.
  ///   - isShort: true if nothing is kept, because there is no room.
  /// - Throws: an error of writing.
  func write(_ changes: NetChanges, version: Int64, isShort: Bool) throws {
    guard let update else { return }
    if isShort { return try Self.clear(connection) }
    if let version = update.replaced {
      try connection.query("DELETE FROM signalbox_history WHERE version = ?")
        .run([.integer(version)])
    } else {
      try remove(isRedo: true)
    }
    guard let old = try content(changes), let new = try content(changes.reversed) else {
      return try remove(isRedo: update.isRedo)
    }
    try connection.query(
      """
      INSERT OR REPLACE INTO signalbox_history (version, isRedo, name, old, new)
      VALUES (?, ?, ?, ?, ?)
      """
    ).run([
      .integer(version), .integer(update.isRedo ? 1 : 0), .text(update.name), .bytes(old),
      .bytes(new),
    ])
    try remove(isRedo: update.isRedo, beyond: update.limit)
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

  /// Removes the commits that can be undone or redone, but for the newest ones.
  private func remove(isRedo: Bool, beyond limit: Int = 0) throws {
    let kind = StoredValue.integer(isRedo ? 1 : 0)
    try connection.query(
      """
      DELETE FROM signalbox_history WHERE isRedo = ? AND version <= (SELECT version
      FROM signalbox_history WHERE isRedo = ? ORDER BY version DESC LIMIT 1 OFFSET ?)
      """
    ).run([kind, kind, .integer(Int64(limit))])
  }

  /// Removes all commits that a file keeps, if it keeps any.
  static func clear(_ connection: Connection) throws {
    var isThere = false
    try connection.query(
      "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'signalbox_history'"
    ).run { _ in isThere = true }
    if !isThere { return }
    // SQLite deletes all rows of a table in one step.
    try connection.stepWatch.checkTrees()
    try connection.execute("DELETE FROM signalbox_history")
  }
}

extension NetChanges {
  /// The changes that restore what these change.
  fileprivate var reversed: NetChanges {
    NetChanges(
      tables.lazy.flatMap(\.all).map { ObjectChange(id: $0.id, old: $0.new, new: $0.old) })
  }
}
