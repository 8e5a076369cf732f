#if PostgreSQL
@_spi(Storage) internal import EntityStore
internal import Locking

// The answer to a COMMIT may be lost with the connection.
extension PostgreSQLStorage {
  /// The outcomes of a transaction.
  enum Outcome {
    case committed, rolledBack, unknown

    /// Reads the answer of `ServerStatements.isThere`.
    ///
    /// The change log keeps a limited number of versions, so what isn't there may have been.
    init(_ answer: UnsafeServerResult) {
      if answer.value(0, 0).isNull {
        self = .unknown
      } else {
        self = answer.integer(0, 0) == 0 ? .rolledBack : .committed
      }
    }
  }

  /// Asks the server what has become of a transaction whose connection was lost.
  func outcome(of serverNumber: Int64?, version: Int64, token: Int64) -> Outcome {
    guard let serverNumber else { return .rolledBack }
    let clock = ContinuousClock()
    let end = clock.now + .seconds(20)
    while clock.now < end {
      if let outcome = try? ask(serverNumber, version, token) { return outcome }
      WakeUp().sleep(for: .milliseconds(100))
    }
    return .unknown
  }

  /// - Throws: an error if the server can't be asked yet, or if the transaction is still running.
  private func ask(_ serverNumber: Int64, _ version: Int64, _ token: Int64) throws -> Outcome {
    let connection = try connect()
    let status = try status(of: serverNumber, connection)
    if status == "in progress" { throw StoreError.fault(.busy, "The transaction is still running") }
    let mark = UnsafeParameters([.integer(version), .integer(token)])
    let outcome = Outcome(try connection.run(connection.own.isThere, mark))
    // A crash may give the number of a lost transaction to another one, which commits.
    return outcome == .unknown && status == "aborted" ? .rolledBack : outcome
  }

  private func status(
    of serverNumber: Int64, _ connection: ServerStoreConnection
  ) throws -> String {
    do {
      return try connection.run(
        "SELECT pg_xact_status(CAST(CAST($1 AS text) AS xid8))", [.text("\(serverNumber)")]
      ).text(0, 0)
    } catch StoreError.storage(let fault) where fault.detail?.hasPrefix("22023") ?? false {
      // A server that has crashed since hasn't given the number again yet.
      return "aborted"
    }
  }
}
#endif
