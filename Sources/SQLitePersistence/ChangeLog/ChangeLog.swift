@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

/// The change log of a file: a row for each commit, with the changes of the commit (P5).
///
/// The row's number is the version, which is the same for every process. A row has only the old
/// values. Between a version and now, an object has changed from its values in the first later row
/// to its values in the file. A store writes one row for each commit (`ChangeLogWriter`). For
/// writes of other tools, triggers write the rows (`TriggerRow`). A row has no content if it would
/// be too long or has an older format. Such a row makes other stores read from scratch.
///
/// Old rows are deleted, but never the last one (`ChangeLogPruning`). The number of rows that stay
/// determines how far behind another process may be and still get the exact changes from these rows
/// alone. Time doesn't matter, so rows have no time.
final class ChangeLog {
  /// The limits of the change log's size.
  struct Limits: Sendable {
    /// The number of newest rows that stay, at least.
    var rows: Int64 = 1024
    /// The number of bytes that these rows may have before some of them are deleted, too.
    var bytes: Int64 = 8 << 20
    /// The number of bytes that one row may have.
    var row = 4 << 20
  }

  private unowned let connection: Connection
  let limits: Limits
  private var writer: ChangeLogWriter
  private var statement: Statement?
  /// The deletion of old rows, as the last commit has left it.
  private var pruning: ChangeLogPruning
  /// The same as the open transaction leaves it, or nil if that hasn't written a row.
  private var nextPruning: ChangeLogPruning?

  init(_ connection: Connection, _ limits: Limits = Limits()) {
    self.connection = connection
    self.limits = limits
    writer = ChangeLogWriter(limit: limits.row)
    pruning = ChangeLogPruning(limits)
  }

  static let versionSQL = "SELECT COALESCE(MAX(version), 0) FROM signalbox_log"

  static let newestSQL = "SELECT version, token FROM signalbox_log ORDER BY version DESC LIMIT 1"
  static let tokenSQL = "SELECT token FROM signalbox_log WHERE version = ?"

  static func version(_ connection: Connection) throws -> Int64 {
    try checked(connection.integer(versionSQL) ?? 0, connection)
  }

  /// Returns a version, and throws if no commit can have it.
  ///
  /// Someone may have written such a version into the file.
  static func checked(_ version: Int64, _ connection: Connection) throws -> Int64 {
    if versions(in: Int.self).contains(version) { return version }
    throw StoreError.fault(
      .corrupt,
      "\(connection.path): its log has the version \(version), which no commit can have; delete that row of "
        + "signalbox_log with the sqlite3 shell, or put back a copy", path: connection.path,
      operation: "\(connection.activity)")
  }

  /// Returns the versions that a file may be at, so that many more can follow.
  ///
  /// A store keeps them in machine words. If these have 32 bits, a file with a billion commits is
  /// refused.
  static func versions<Word: FixedWidthInteger>(in word: Word.Type) -> Range<Int64> {
    0..<1 << Int64(Word.bitWidth - 2)
  }

  /// Makes a new file begin at a version.
  static func begin(at version: Int64, _ connection: Connection) throws {
    try connection.query("INSERT INTO signalbox_log (version) VALUES (?)").run([.integer(version)])
  }

  /// Upgrades a file of format 1 to format 2.
  ///
  /// Format 2 has triggers that log what other tools write, and rows that contain the changes.
  ///
  /// - Returns: true if the change log begins from scratch, so that nothing is known of its earlier
  ///   rows.
  static func upgrade(_ connection: Connection) throws -> Bool {
    let format = "SELECT value FROM signalbox_metadata WHERE name = 'format'"
    let wasFirst = try connection.integer(format) == 1
    try connection.query(
      "UPDATE signalbox_metadata SET value = 2 WHERE name = 'format' AND value = 1"
    ).run()
    let columns = try connection.texts("SELECT name FROM pragma_table_info('signalbox_log')")
    if columns.contains("token") { return wasFirst }
    // SQLite can't add a column with a random default. The rows are dropped, so stores that have
    // the file open read from scratch.
    let version = try connection.integer(versionSQL) ?? 0
    try connection.stepWatch.checkTrees()
    try connection.execute("DROP TABLE signalbox_log")
    try connection.execute("CREATE TABLE \(StoreTables.changeLog)")
    if version > 0 { try begin(at: version, connection) }
    return true
  }

  // MARK: Writing

  /// Begins a transaction, after which `noteCommit()` is called if it has been committed.
  func begin() { nextPruning = nil }

  /// Notes that the row of the open transaction has been committed, if it has written one.
  func noteCommit() {
    if let next = nextPruning.take() { pruning = next }
  }

  /// Writes a version without content.
  ///
  /// A store that knows an earlier version reads from scratch.
  static func appendUnknown(_ connection: Connection) throws {
    try connection.execute(
      """
      INSERT INTO signalbox_log (version) SELECT COALESCE(MAX(version), 0) + 1 FROM signalbox_log
      """)
  }

  /// Writes the row of a commit, deletes old rows at intervals, and returns the version's token.
  ///
  /// A short row gets no content, because there is no room for more or the changes aren't known.
  func append(
    _ changes: NetChanges, version: Int64, isShort: Bool,
    layout: (EntityDescription) throws -> ChangeLogLayout
  ) throws -> Int64 {
    writer.reset()
    if isShort { writer.giveUp() }
    for table in changes.tables where !isShort {
      if !writer.append(table, try layout(table.entity)) { break }
    }
    if statement == nil {
      statement = try connection.statement(
        "INSERT INTO signalbox_log (version, changes, token) VALUES (?, ?, ?)")
    }
    let token = Int64.random(in: .min ... .max)
    try statement?.run([.integer(version), .bytes(writer.row), .integer(token)])
    // A commit that fails deletes nothing, and its version is another commit's.
    var next = pruning
    try next.prune(version, rowBytes: writer.row.count, connection)
    nextPruning = next
    return token
  }

  /// Deletes all rows but the last, and the content of that one.
  func makeRoom(keeping version: Int64) throws {
    try connection.query("DELETE FROM signalbox_log WHERE version < ?").run([.integer(version)])
    try connection.query("UPDATE signalbox_log SET changes = ?").run([
      .bytes([ChangeLogWriter.unlogged])
    ])
  }

  // MARK: Reading

  /// Returns the number of bytes of the rows after a version, up to another one.
  static func size(
    after version: Int64, through last: Int64, _ connection: Connection
  ) throws -> Int64 {
    // SQLite reads the rows' lengths without the rows.
    let sql = """
      SELECT COALESCE(SUM(length(changes)), 0) FROM signalbox_log WHERE version > ? AND version <= ?
      """
    return try connection.integer(sql, [.integer(version), .integer(last)]) ?? 0
  }

  /// Returns what the rows after a version state about the objects of some entities.
  ///
  /// Returns nil if rows are missing, if they can't be read, if they are too many, or if they have
  /// more bytes than `limit`.
  static func objects(
    since version: Int64, upTo last: Int64, of layouts: [ChangeLogLayout], atMost limit: Int64,
    _ connection: Connection
  ) throws -> ChangeLogObjects? {
    // Somebody may have written any number into the file.
    if version < 0 { return nil }
    // A single row of a tool may be large.
    if try last - version > ChangeLogObjects.mostRowsRead
      || size(after: version, through: last, connection) > limit
    {
      return nil
    }
    var objects = ChangeLogObjects(layouts)
    var next = version + 1
    var isKnown = true
    try connection.query(
      "SELECT version, changes FROM signalbox_log WHERE version > ? ORDER BY version"
    ).run([.integer(version)]) {
      guard isKnown else { return }
      guard $0.integer(0) == next, case .bytes(let row) = $0.value(1), objects.add(row: row) else {
        return isKnown = false
      }
      next += 1
    }
    return isKnown && next == last + 1 && objects.isCertain ? objects : nil
  }
}
