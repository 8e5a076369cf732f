internal import EntityStore

/// The statements of one connection that begin and end transactions.
///
/// They are prepared when first used and kept. Nearly every call runs two of them, so they aren't
/// parsed each time.
final class TransactionStatements {
  private unowned let connection: Connection
  private var keptBegin: Statement?
  private var keptBeginWriting: Statement?
  private var keptCommit: Statement?
  private var keptVersion: Statement?
  private var keptNewest: Statement?
  private var keptToken: Statement?

  init(_ connection: Connection) { self.connection = connection }

  func begin() throws { try run(&keptBegin, "BEGIN") }

  func beginWriting() throws { try run(&keptBeginWriting, "BEGIN IMMEDIATE") }

  func commit() throws { try run(&keptCommit, "COMMIT") }

  func version() throws -> Int64 {
    let statement = try keptVersion.orKeep(connection.statement(ChangeLog.versionSQL))
    defer { statement.reset(clearing: false) }
    return try ChangeLog.checked(statement.step() ? statement.integer(0) : 0, connection)
  }

  func newest() throws -> (version: Int64, token: Int64) {
    let statement = try keptNewest.orKeep(connection.statement(ChangeLog.newestSQL))
    defer { statement.reset(clearing: false) }
    guard try statement.step() else { return (0, 0) }
    return (try ChangeLog.checked(statement.integer(0), connection), statement.integer(1))
  }

  /// Returns the token of a version, or nil if the change log no longer has the version.
  func token(of version: Int64) throws -> Int64? {
    // Before the first commit, there is nothing that could have been replaced.
    if version == 0 { return 0 }
    let statement = try keptToken.orKeep(connection.statement(ChangeLog.tokenSQL))
    defer { statement.reset(clearing: false) }
    try statement.bind(.integer(version), at: 1)
    return try statement.step() ? statement.integer(0) : nil
  }

  private func run(_ statement: inout Statement?, _ sql: String) throws {
    let statement = try statement.orKeep(connection.statement(sql))
    defer { statement.reset(clearing: false) }
    while try statement.step() {}
  }
}
