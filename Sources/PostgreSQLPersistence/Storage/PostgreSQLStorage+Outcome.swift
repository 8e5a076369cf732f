#if PostgreSQL
@_spi(Storage) internal import EntityStore
internal import Locking

// The answer to a COMMIT may be lost with the connection.
extension PostgreSQLStorage {
  /// The outcomes of a transaction.
  enum Outcome { case committed, rolledBack, unknown }

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
    let mark = UnsafeParameters([.integer(version), .integer(token)])
    if try connection.run(connection.own.isThere, mark).rowCount > 0 { return .committed }
    if try isRunning(serverNumber, connection) {
      throw StoreError.storage(StorageFault(.busy, "The transaction is still running"))
    }
    // It may have committed since the first question.
    return try connection.run(connection.own.isThere, mark).rowCount > 0 ? .committed : .rolledBack
  }

  /// Returns true if a transaction hasn't ended yet.
  private func isRunning(_ serverNumber: Int64, _ connection: StoreConnection) throws -> Bool {
    do {
      return try connection.run(
        "SELECT pg_xact_status(CAST(CAST($1 AS text) AS xid8))", [.text("\(serverNumber)")]
      ).text(0, 0) == "in progress"
    } catch StoreError.storage(let fault) where fault.detail?.hasPrefix("22023") ?? false {
      // A server that has crashed since hasn't given the number again yet.
      return false
    }
  }
}
#endif
