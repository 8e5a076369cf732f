internal import EntityStore

/// One connection's statements that begin and end transactions, prepared when first used and kept.
///
/// Nearly every call runs two of them, so they are not parsed each time.
final class TransactionStatements {
  private unowned let connection: Connection
  private var keptBegin: Statement?
  private var keptBeginWriting: Statement?
  private var keptCommit: Statement?
  private var keptVersion: Statement?

  init(_ connection: Connection) { self.connection = connection }

  func begin() throws { try run(&keptBegin, "BEGIN") }

  func beginWriting() throws { try run(&keptBeginWriting, "BEGIN IMMEDIATE") }

  func commit() throws { try run(&keptCommit, "COMMIT") }

  /// The version of the last commit.
  func version() throws -> Int64 {
    let statement = try kept(&keptVersion, CommitLog.versionSQL)
    defer { statement.reset(clearing: false) }
    return try statement.step() ? statement.integer(0) : 0
  }

  private func run(_ statement: inout Statement?, _ sql: String) throws {
    let statement = try kept(&statement, sql)
    defer { statement.reset(clearing: false) }
    while try statement.step() {}
  }

  private func kept(_ statement: inout Statement?, _ sql: String) throws -> Statement {
    if let statement { return statement }
    let prepared = try connection.statement(sql)
    statement = prepared
    return prepared
  }
}
