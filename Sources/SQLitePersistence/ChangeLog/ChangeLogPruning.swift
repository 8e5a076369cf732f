internal import EntityStore
internal import SQLMapping

/// The deletion of the oldest rows of a change log, a part at a time.
///
/// Other stores and tools write rows, too. Each row is a version, so versions count all rows. Rows
/// that others have just written stay until the next time, because a further store may still have
/// to read them.
struct ChangeLogPruning {
  /// The limits of what one transaction deletes.
  struct Part {
    var rows: Int64 = 4096
    var bytes: Int64 = 64 << 20
  }

  private let limits: ChangeLog.Limits
  /// The version of this connection's last row, or nil before its first one.
  private var last: Int64?
  /// The version at which this connection last looked for rows to delete, or nil before that.
  ///
  /// It looks with its first commit, because it doesn't know what others have left.
  private var looked: Int64?
  /// The number of bytes of the rows that were written since their sizes were last added up.
  private var bytes: Int64 = 0
  /// True if the rows may be too large without new ones.
  private var mayBeLarge = true
  /// The version of the newest row that still has to be deleted, or nil if there is none.
  private var end: Int64?

  private static let rowsBetween: Int64 = 256

  init(_ limits: ChangeLog.Limits) { self.limits = limits }

  /// Deletes rows after a commit has written the one of a version.
  mutating func prune(_ version: Int64, rowBytes: Int, _ connection: Connection) throws {
    let others = try rowsOfOthers(before: version, connection)
    last = version
    bytes += others.bytes + Int64(rowBytes)
    var part = Part()
    if looked.map({ version - $0 >= Self.rowsBetween }) ?? true || isLarge {
      // Others may write more than one part between two commits.
      part.rows = max(part.rows, 2 * (version - (looked ?? version)))
      part.bytes = max(part.bytes, 2 * bytes)
      looked = version
      let newest = try newestToDelete(at: version, others, connection)
      end = max(newest, end ?? newest)
    }
    guard let end else { return }
    if try Self.delete(through: end, part, connection) { self.end = nil }
  }

  private var isLarge: Bool { bytes > limits.bytes / 8 }

  /// Returns the number of rows, and of their bytes, that others have written since this
  /// connection's last row.
  private func rowsOfOthers(
    before version: Int64, _ connection: Connection
  ) throws -> (count: Int64, bytes: Int64) {
    guard let last, version - last > 1 else { return (0, 0) }
    return (
      version - last - 1, try ChangeLog.size(after: last, through: version - 1, connection)
    )
  }

  /// Returns the version of the newest row that has to be deleted.
  private mutating func newestToDelete(
    at version: Int64, _ others: (count: Int64, bytes: Int64), _ connection: Connection
  ) throws -> Int64 {
    var newest = version - limits.rows
    // Adding up the sizes reads many rows, so it is done only after many bytes.
    if isLarge || mayBeLarge {
      newest = try Self.newest(beyond: limits, at: version, connection)
      (bytes, mayBeLarge) = (0, false)
    }
    // No store reads more rows of others than that.
    if others.count > 0, others.count <= ChangeLogObjects.mostRowsRead,
      others.bytes <= ChangeLogObjects.mostBytesRead
    {
      // A store that hasn't read them is at the version before them, and needs its row, too.
      newest = min(newest, version - others.count - 2)
      mayBeLarge = true
    }
    return newest
  }

  /// Returns the version of the newest row that is one too many, or with which the rows are too
  /// large.
  private static func newest(
    beyond limits: ChangeLog.Limits, at version: Int64, _ connection: Connection
  ) throws -> Int64 {
    var newest = version - limits.rows
    var bytes: Int64 = 0
    try connection.query(
      "SELECT version, length(changes) FROM signalbox_log WHERE version > ? ORDER BY version DESC"
    ).run([.integer(newest)]) {
      bytes += $0.integer(1)
      if bytes > limits.bytes, $0.integer(0) != version { newest = max(newest, $0.integer(0)) }
    }
    return newest
  }

  /// Deletes the oldest rows through a version, as many as a part may have.
  ///
  /// - Returns: true if none of them is left.
  private static func delete(
    through end: Int64, _ part: Part, _ connection: Connection
  ) throws -> Bool {
    var last: Int64?
    var (found, count, bytes): (Int64, Int64, Int64) = (0, 0, 0)
    try connection.query(
      """
      SELECT version, length(changes) FROM signalbox_log WHERE version <= ? ORDER BY version LIMIT ?
      """
    ).run([.integer(end), .integer(part.rows)]) {
      found += 1
      if bytes >= part.bytes { return }
      bytes += $0.integer(1)
      count += 1
      last = $0.integer(0)
    }
    guard let last else { return true }
    try connection.query("DELETE FROM signalbox_log WHERE version <= ?").run([.integer(last)])
    return count == found && count < part.rows
  }
}

// MARK: Opening

extension ChangeLogPruning {
  /// Deletes rows that no store would read any more.
  ///
  /// Tools may have written them while no store made a commit. It is done in a transaction of its
  /// own, and an error is ignored: a file can be opened if its disk is full.
  static func deleteUnreadRows(
    _ connection: Connection,
    beyond most: ChangeLog.Limits = ChangeLog.Limits(
      rows: ChangeLogObjects.mostRowsRead, bytes: ChangeLogObjects.mostBytesRead)
  ) {
    do {
      let version = try ChangeLog.version(connection)
      // The row before the first one that is read has the token of a store's last version.
      let end = try newest(beyond: most, at: version, connection) - 1
      let oldest = try connection.integer("SELECT MIN(version) FROM signalbox_log") ?? version
      guard oldest <= end else { return }
      try connection.execute("BEGIN IMMEDIATE")
      let part = Part(rows: ChangeLogObjects.mostRowsRead, bytes: 512 << 20)
      _ = try delete(through: end, part, connection)
      try connection.execute("COMMIT")
    } catch {
      if connection.isInTransaction { try? connection.execute("ROLLBACK") }
    }
  }
}
