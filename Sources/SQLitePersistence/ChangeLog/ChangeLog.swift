internal import EntityStore

/// The log of a file: a row for each commit, with what the commit changed (P5).
///
/// The row's number is the version, the same for every process. A row has the old values alone: between
/// a version and now an object has changed from what the first later row says of it to what the file
/// has. A store writes one row a commit (`ChangeLogWriter`), triggers write those of other tools
/// (`TriggerRow`). A row that says nothing, since it would be too long or has an older format, makes
/// others read anew.
///
/// Old rows go, never the last. How many stay says how far behind another process may be and still get
/// the exact changes by reading these alone; time doesn't matter, so no row has one.
final class ChangeLog {
  /// What the log keeps.
  struct Limits: Sendable {
    /// The newest rows that stay, at least.
    var rows: Int64 = 1024
    /// How many bytes these may have before some of them go, too.
    var bytes: Int64 = 8 << 20
    /// How many bytes one row may have.
    var row = 4 << 20
  }

  private unowned let connection: Connection
  private let limits: Limits
  private var writer: ChangeLogWriter
  private var statement: Statement?
  /// How many rows and bytes this connection has written since it looked for what can go.
  ///
  /// It looks with its first commit, since it doesn't know what others have left.
  private var rows: Int64 = ChangeLog.rowsBetween
  private var bytes: Int64

  private static let rowsBetween: Int64 = 256

  init(_ connection: Connection, _ limits: Limits = Limits()) {
    self.connection = connection
    self.limits = limits
    writer = ChangeLogWriter(limit: limits.row)
    bytes = limits.bytes
  }

  /// Selects the version of the last commit.
  static let versionSQL = "SELECT COALESCE(MAX(version), 0) FROM signalbox_log"

  /// Selects the version of the last commit, and what was drawn for it.
  static let newestSQL = "SELECT version, token FROM signalbox_log ORDER BY version DESC LIMIT 1"
  /// Selects what was drawn for a version.
  static let tokenSQL = "SELECT token FROM signalbox_log WHERE version = ?"

  /// The version of the last commit.
  static func version(_ connection: Connection) throws -> Int64 {
    var version: Int64 = 0
    try connection.query(versionSQL).run { version = $0.integer(0) }
    return try checked(version, connection)
  }

  /// Throws if no commit can have a version, as one that somebody has written into the file.
  static func checked(_ version: Int64, _ connection: Connection) throws -> Int64 {
    if versions(in: Int.self).contains(version) { return version }
    throw StoreError.storage(
      StorageFault(
        .corrupt,
        "\(connection.path): its log has the version \(version), which no commit can have; delete that row of "
          + "signalbox_log with the sqlite3 shell, or put back a copy",
        path: connection.path, operation: "\(connection.activity)"))
  }

  /// The versions that a file may be at, so that many more can follow.
  ///
  /// A store keeps them in machine words: where those have 32 bits, a file with a billion commits is refused.
  static func versions<Word: FixedWidthInteger>(in word: Word.Type) -> Range<Int64> {
    0..<1 << Int64(Word.bitWidth - 2)
  }

  /// Has a new file begin at a version.
  static func begin(at version: Int64, _ connection: Connection) throws {
    try connection.query("INSERT INTO signalbox_log (version) VALUES (?)").run([.integer(version)])
  }

  /// Makes a file of format 1 one of format 2, whose triggers log what other tools write, and whose rows
  /// say what changed.
  ///
  /// - Returns: whether the log begins anew, so that nothing is known of what it had.
  static func upgrade(_ connection: Connection) throws -> Bool {
    var wasFirst = false
    try connection.query("SELECT value FROM signalbox_metadata WHERE name = 'format'").run {
      wasFirst = $0.integer(0) == 1
    }
    try connection.query(
      "UPDATE signalbox_metadata SET value = 2 WHERE name = 'format' AND value = 1"
    ).run()
    var hasTokens = false
    try connection.query("SELECT name FROM pragma_table_info('signalbox_log')").run {
      if $0.value(0).description == "token" { hasTokens = true }
    }
    if hasTokens { return wasFirst }
    // SQLite adds no column whose default is drawn. The rows are left behind: whoever is open reads anew.
    var version: Int64 = 0
    try connection.query(versionSQL).run { version = $0.integer(0) }
    try connection.stepWatch.checkTrees()
    try connection.execute("DROP TABLE signalbox_log")
    try connection.execute("CREATE TABLE \(StoreTables.changeLog)")
    if version > 0 { try begin(at: version, connection) }
    return true
  }

  // MARK: Writing

  /// Writes a version of which the log says nothing: whoever knows one before reads anew.
  static func appendUnknown(_ connection: Connection) throws {
    try connection.execute(
      """
      INSERT INTO signalbox_log (version) SELECT COALESCE(MAX(version), 0) + 1 FROM signalbox_log
      """)
  }

  /// Writes the row of a version that changes nothing; what led to it isn't known.
  func appendNothing(version: Int64) throws -> Int64 {
    let token = Int64.random(in: .min ... .max)
    try connection.query("INSERT INTO signalbox_log (version, changes, token) VALUES (?, ?, ?)")
      .run([.integer(version), .bytes([ChangeLogWriter.unlogged]), .integer(token)])
    return token
  }

  /// Writes the row of a commit, and now and then forgets old ones.
  ///
  /// - Parameters:
  ///   - changes: what the commit changes.
  ///   - version: the commit's version.
  ///   - isShort: whether the row says nothing, since there is no room for more.
  ///   - layout: how the log writes an entity's objects.
  /// - Returns: what was drawn for the version.
  /// - Throws: what writing throws.
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
    rows += 1
    bytes += Int64(writer.row.count)
    if rows >= Self.rowsBetween || bytes > limits.bytes / 8 { try prune(version) }
    return token
  }

  /// Forgets all rows but the last, and what that says.
  func makeRoom(keeping version: Int64) throws {
    try connection.query("DELETE FROM signalbox_log WHERE version < ?").run([.integer(version)])
    try connection.query("UPDATE signalbox_log SET changes = ?").run([
      .bytes([ChangeLogWriter.unlogged])
    ])
  }

  private func prune(_ version: Int64) throws {
    try connection.query("DELETE FROM signalbox_log WHERE version <= ?")
      .run([.integer(version - limits.rows)])
    rows = 0
    // Adding up what all rows have is looking at each of them, so it is done for many bytes only.
    guard bytes > limits.bytes / 8 else { return }
    bytes = 0
    var last: Int64?
    var total: Int64 = 0
    try connection.query(
      "SELECT version, length(changes) FROM signalbox_log ORDER BY version DESC"
    ).run {
      total += $0.integer(1)
      if total > self.limits.bytes && last == nil && $0.integer(0) != version {
        last = $0.integer(0)
      }
    }
    guard let last else { return }
    try connection.query("DELETE FROM signalbox_log WHERE version <= ?").run([.integer(last)])
  }

  // MARK: Reading

  /// What the rows after a version say of the objects of some entities, or nil if some are missing or
  /// can't be read.
  static func objects(
    since version: Int64, upTo last: Int64, of layouts: [ChangeLogLayout], _ connection: Connection
  ) throws -> ChangeLogObjects? {
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
