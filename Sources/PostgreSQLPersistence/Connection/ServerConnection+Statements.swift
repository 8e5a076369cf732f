#if PostgreSQL
internal import CPostgreSQL
@_spi(Storage) internal import EntityStore

// Statements are sent together, in one round trip to the server: those that only write wait for the
// next one whose rows are needed. If one fails, the server skips those after it.
extension ServerConnection {
  /// The greatest number of statements of queries, which the server keeps in its memory.
  private static let mostQueries = 256

  /// Adds a statement to those that are sent next; `body` takes its rows, once they have come.
  func enqueue(
    _ statement: ServerStatement, _ parameters: UnsafeParameters = UnsafeParameters(),
    _ body: ((UnsafeServerResult) -> Void)? = nil
  ) {
    if let first = lead.take() { queue.append(first) }
    queue.append(Queued(statement: statement, parameters: parameters, body: body))
  }

  /// Runs the statements that wait, and then one more, and returns the rows of the last one.
  ///
  /// - Throws: ``/EntityStore/StoreError/storage(_:)``, the fault of the first one that fails.
  @discardableResult func run(
    _ statement: ServerStatement, _ parameters: UnsafeParameters = UnsafeParameters()
  ) throws -> UnsafeServerResult {
    enqueue(statement, parameters)
    let results = try flush()
    guard let last = results.last else { throw lostFault }
    return last
  }

  /// Runs the statements that wait, and then a query with numbered parameters.
  @discardableResult func run(
    _ sql: String, _ values: [StoredValue]
  ) throws -> UnsafeServerResult {
    try run(try query(sql, values), UnsafeParameters(values))
  }

  func query(_ sql: String, _ values: [StoredValue]) throws -> ServerStatement {
    let key = ServerStatement.Key(sql: sql, types: UnsafeParameters.types(of: values))
    if let known = queries[key] { return known }
    if queries.count >= Self.mostQueries {
      if !isPooled { try execute("DEALLOCATE ALL") }
      for statement in prepared { statement.name = nil }
      prepared = []
      queries = [:]
    }
    let statement = ServerStatement(sql, key.types)
    queries[key] = statement
    return statement
  }

  /// Sends the statements that wait, and returns their results.
  ///
  /// - Throws: ``/EntityStore/StoreError/storage(_:)``, the fault of the first one that fails, or
  ///   that of an earlier one in the same transaction.
  func flush() throws -> [UnsafeServerResult] {
    // Statements whose results nobody has waited for come first.
    let earlier = sent.count { if case .run = $0 { true } else { false } }
    try send()
    if sent.isEmpty { return [] }
    guard isSound else {
      sent = []
      throw lostFault
    }
    let results = try readResults()
    return Array(results.dropFirst(earlier))
  }

  /// Sends the statements that wait, and doesn't wait for their results.
  ///
  /// If one of them fails, the next statement throws.
  func send() throws {
    if queue.isEmpty { return }
    do { try sendQueue() } catch {
      // A part may have been sent, without an end.
      isBroken = true
      throw error
    }
  }

  private func sendQueue() throws {
    let queue = queue
    self.queue = []
    guard !sent.isEmpty || PQenterPipelineMode(handle) == 1 else { throw lostFault }
    for one in queue {
      let statement = one.statement
      let types = statement.key.types
      if !isPooled && statement.name == nil {
        let name = "s\(preparedCount)"
        preparedCount += 1
        statement.name = name
        guard PQsendPrepare(handle, name, statement.key.sql, Int32(types.count), types) == 1 else {
          throw lostFault
        }
        sent.append(.preparation(statement))
      }
      let isSent = one.parameters.withPointers { count, values, lengths, formats in
        isPooled
          ? PQsendQueryParams(
            handle, statement.key.sql, count, types, values, lengths, formats, 1)
          : PQsendQueryPrepared(handle, statement.name, count, values, lengths, formats, 1)
      }
      guard isSent == 1 else { throw lostFault }
      sent.append(.run(statement, one.body))
    }
    guard PQpipelineSync(handle) == 1 else { throw lostFault }
    sent.append(.end)
  }

  private func readResults() throws -> [UnsafeServerResult] {
    let sent = sent
    self.sent = []
    var results: [UnsafeServerResult] = []
    var fault: (any Error)?
    for one in sent {
      if case .end = one {
        if let error = readEnd() { fault = fault ?? error }
        continue
      }
      let result = PQgetResult(handle)
      // A null pointer follows each result but that of the end.
      if result != nil, let more = PQgetResult(handle) { PQclear(more) }
      if PQresultStatus(result) == PGRES_PIPELINE_ABORTED || !isSound {
        if !isSound && fault == nil { fault = lostFault }
        PQclear(result)
        if case .preparation(let statement) = one { statement.name = nil }
        continue
      }
      do {
        let rows = try checked(result, writing: one.table)
        switch one {
        // One that the server refuses is prepared again, under another name, each time it is run.
        case .preparation(let statement): prepared.append(statement)
        case .run(_, let body):
          results.append(rows)
          body?(rows)
        case .end: break
        }
      } catch {
        if case .preparation(let statement) = one { statement.name = nil }
        if fault == nil { fault = error }
      }
    }
    if PQexitPipelineMode(handle) != 1 { isBroken = true }
    if let fault {
      // The server refuses all statements after the one that has failed, and doesn't say why.
      let first = transactionFault ?? fault
      transactionFault = first
      throw first
    }
    return results
  }

  /// Reads up to the end of what was sent together.
  ///
  /// Outside of a transaction, the statements are committed there, which may fail.
  private func readEnd() -> (any Error)? {
    var fault: (any Error)?
    for _ in 0..<8 {
      let result = PQgetResult(handle)
      if PQresultStatus(result) == PGRES_PIPELINE_SYNC {
        PQclear(result)
        return fault
      }
      if result != nil {
        do { _ = try checked(result) } catch { fault = fault ?? error }
      } else if !isSound {
        break
      }
    }
    isBroken = true
    return fault ?? lostFault
  }
}
#endif
