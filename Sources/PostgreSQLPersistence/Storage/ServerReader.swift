#if PostgreSQL
@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

/// A reader of one connection, inside a transaction that its owner opens and ends.
class ServerReader: ExternalChangeReader, LastIDReader {
  final let connection: ServerStoreConnection
  final var number: Int64 = 0
  private(set) final var isVersionKnown = false
  /// The number of times that the tables have been migrated, or nil if it isn't known yet.
  private final var generation: Int64?
  final var token: Int64 = 0
  /// The error of a look for the version.
  private(set) final var versionError: (any Error)?
  private var time = ReadingTime()
  /// True if there is a savepoint, behind which observers have read and nothing was written.
  private final var hasSavepoint = false

  init(_ connection: ServerStoreConnection) { self.connection = connection }

  /// Notes the version and its token, which are the first columns of a result.
  ///
  /// If no commit can have that version, this notes an error.
  final func note(_ newest: UnsafeServerResult) {
    do {
      number = newest.rowCount == 0 ? 0 : try connection.checked(newest.integer(0, 0))
    } catch {
      versionError = versionError ?? error
    }
    token = newest.rowCount == 0 ? 0 : newest.integer(0, 1)
    generation = newest.rowCount == 0 ? 0 : newest.integer(0, 2)
    isVersionKnown = true
  }

  /// Throws if the tables have been migrated so that they don't fit the store's schemas any more.
  final func checkGeneration() throws {
    guard let generation, generation != connection.generation else { return }
    let found = try connection.run(connection.own.descriptions)
    var descriptions: [ExactText: String] = [:]
    for row in 0..<found.rowCount {
      descriptions[ExactText(found.text(row, 0))] = found.text(row, 1)
    }
    for entity in connection.known.sorted(by: { TextBytes.compare($0.name, $1.name) < 0 }) {
      let now = descriptions[ExactText(entity.name)]
      if now.map({ TextBytes.equal($0, ServerTable(entity).description) }) ?? false { continue }
      throw StoreError.fault(
        .newer,
        "\(connection.place): the table of \(entity.name) has been migrated since the store was opened, by a "
          + "version of the app with another schema; open the store again, with the newest version of "
          + "the app", operation: connection.operation)
    }
    connection.generation = generation
  }

  /// Ends the time in which the reader may be used.
  ///
  /// Its connection belongs to another reader then, on another thread.
  final func end() { time.end() }

  final func check() { time.check() }

  /// Returns the statements of an entity.
  ///
  /// - Throws: ``/EntityStore/StoreError/unknownEntity(_:)``.
  final func statements(of entity: EntityDescription) throws -> ServerEntity {
    time.check()
    // It says more than the errors of statements that don't fit the tables any more.
    if let versionError { throw versionError }
    return try connection.knownStatements(of: entity)
  }

  final var dialect: PostgreSQLDialect { PostgreSQLDialect(schema: connection.place.schema) }

  var version: Int64 {
    check()
    findVersion()
    return number
  }

  /// Sends the statements that wait, one of which may be that for the version.
  private func findVersion() {
    if isVersionKnown { return }
    do {
      _ = try connection.flush()
      try checkGeneration()
    } catch { versionError = versionError ?? error }
  }

  var externalChangeReader: (any ExternalChangeReader)? { self }

  var rowNumberReader: (any RowNumberReader)? { self }

  var sqlReader: (any SQLReader)? { nil }

  // MARK: Objects

  // The server is far, compared with a file: each look-up is a round trip.
  final var readsAhead: Bool { true }

  func row(of entity: EntityDescription, id: StoredValue) throws -> EntityRow? {
    check()
    return try connection.object(of: entity, id: id)?.object
  }

  /// Calls `body` with those of the objects with some ids that there are, read together.
  ///
  /// `body` also gets the number of bytes of an object's values.
  final func forEachObject(
    of entity: EntityDescription, ids: [StoredValue], _ body: (EntityRow, _ size: Int) -> Void
  ) throws {
    let statements = try statements(of: entity)
    for part in RowSlices.slices(of: ids.filter(statements.canHave)) {
      let rows = try connection.run(statements.rows, statements.idArrays(part))
      for place in 0..<rows.rowCount {
        body(try statements.object(rows, place), rows.size(of: place))
      }
    }
  }

  func lastID(of entity: EntityDescription) throws -> Int64? {
    guard let statement = try statements(of: entity).lastID else { return nil }
    return try connection.run(statement, UnsafeParameters([.text(entity.name)])).integer(0, 0)
  }

  func ids(of entity: EntityDescription, where columns: [Int], equal values: [StoredValue]) throws
    -> [StoredValue]
  {
    let statements = try statements(of: entity)
    if !values.allSatisfy(ServerText.canHave) { return [] }
    let (statement, parameters) = statements.ids(where: columns, equal: values)
    let found = try connection.run(statement, parameters)
    return (0..<found.rowCount).map { row in
      statements.idShape.values { found.value(row, $0) }[0]
    }
  }

  func fetch(_ plan: FetchPlan) throws -> [FetchedRow] {
    _ = try statements(of: plan.entity)
    let query = SQLQuery(plan, dialect)
    if let rows = try query.valuesWithinLimit(of: plan, reading: self) { return rows }
    let readers = plan.values.map { CompiledExpression($0, of: plan.entity) }
    let checks = ValueChecks(plan.values)
    var rows: [FetchedRow] = []
    // With a limit, most of the rows may not be needed.
    try forEachMatch(plan, query, inParts: query.end != nil) { found, place, row, related in
      if plan.values.isEmpty {
        rows.append(FetchedRow(row: row, values: []))
        return
      }
      let values = try zip(readers, query.valueColumns).map { reader, column in
        try column.map { found.value(place, $0) }
          ?? reader.uncheckedValue(of: row, reading: related)
      }
      try checks.check { values[$0] }
      rows.append(FetchedRow(row: row, values: values))
    }
    if query.isFinished { return rows }
    return query.isSorted ? plan.limited(rows) : try plan.sorted(rows, reading: self)
  }

  func rows(_ plan: FetchPlan) throws -> [EntityRow] {
    let statements = try statements(of: plan.entity)
    let query = SQLQuery(plan, dialect)
    guard query.isFinished, plan.values.isEmpty else { return try fetch(plan).map(\.row) }
    let found = try connection.run(query.select.numbered, query.select.values)
    return try (0..<found.rowCount).map { try statements.object(found, $0) }
  }

  func forEachRow(_ plan: FetchPlan, _ body: (EntityRow) throws -> Void) throws -> Bool {
    let statements = try statements(of: plan.entity)
    let query = SQLQuery(plan, dialect)
    guard query.isFinished, plan.values.isEmpty else { return false }
    try connection.forEachRow(of: query.select) { found, place in
      try body(try statements.object(found, place))
    }
    return true
  }

  func forEachValues(_ plan: FetchPlan, _ body: ([StoredValue]) throws -> Void) throws {
    _ = try statements(of: plan.entity)
    guard let query = SQLValues(plan, dialect) else {
      for row in try fetch(plan) { try body(row.values) }
      return
    }
    try connection.forEachRow(of: query.select) { found, place in
      try body(query.values { found.value(place, $0) })
    }
  }

  func count(_ entity: EntityDescription, where filter: QueryExpression?) throws -> Int {
    _ = try statements(of: entity)
    let scope = SQLScope(entity, dialect)
    guard let filter else {
      return Int(
        clamping: try connection.run("SELECT COUNT(*) FROM \(scope.from)", []).integer(0, 0))
    }
    guard let condition = SQLTranslation(scope: scope).expressed(filter, after: 0) else {
      let plan = FetchPlan(of: entity, where: filter).unordered
      var number = 0
      try forEachMatch(plan, SQLQuery(plan, dialect), inParts: true) { _, _, _, _ in number += 1 }
      return number
    }
    let select = SQLQuery.select(
      SQLTranslation.Piece(sql: "COUNT(*)"), from: scope, where: condition)
    return Int(clamping: try connection.run(select.numbered, select.values).integer(0, 0))
  }

  func explain(_ plan: FetchPlan) throws -> QueryPlan {
    _ = try statements(of: plan.entity)
    let query = SQLQuery(plan, dialect)
    let found = try connection.run("EXPLAIN " + query.select.numbered, query.select.values)
    return QueryPlan(
      of: plan, language: "SQL", statement: query.select.numbered,
      parameters: query.select.values, steps: (0..<found.rowCount).map { found.text($0, 0) },
      conditionsHere: query.residual, isSorted: query.isSorted,
      valuesHere: zip(plan.values, query.valueColumns).filter { $1 == nil }.map(\.0),
      isLimited: query.isFinished)
  }

  // MARK: Observers

  // The server refuses everything that follows an error in a transaction.
  final func isolating<Result>(_ body: () -> Result) -> Result {
    // The transaction has already failed by an error of others, or by a transient one. It isn't
    // saved.
    if connection.transactionFault != nil { return body() }
    // One savepoint serves all observers: they only read.
    var isMade = hasSavepoint
    if !isMade {
      // It is sent with the first read, behind the writes that wait. If one of these fails, there
      // is no savepoint, and the commit fails.
      connection.lead = ServerConnection.Queued(
        statement: connection.own.savepoint, parameters: UnsafeParameters(),
        body: { _ in isMade = true })
    }
    let result = body()
    connection.lead = nil
    // A part of a result that nobody has read may be an error.
    if !connection.sent.isEmpty { _ = try? connection.flush() }
    hasSavepoint = isMade
    if isMade, connection.isSound, let fault = connection.transactionFault,
      !ServerFault.isTransient(fault)
    {
      // Only statements after the error wait, such as CLOSE.
      connection.queue = []
      if (try? connection.execute(ServerStatements.rollBackToSavepoint)) != nil {
        connection.transactionFault = nil
      }
    }
    return result
  }

  /// Releases the savepoint, if there is one, before something is written.
  ///
  /// Otherwise the writes would be undone together with an observer's reads.
  final func releaseSavepoint() {
    if hasSavepoint { connection.enqueue(connection.own.releaseSavepoint) }
    hasSavepoint = false
  }

  // MARK: Changes of others

  func mark(of version: Int64) throws -> StorageMark? {
    check()
    findVersion()
    if let versionError { throw versionError }
    // Observers catch the errors of their reads. A merge asks again before it publishes. It isn't
    // made again for ever because one observer's reads always fail.
    if let fault = connection.transactionFault,
      !connection.isSound || ServerFault.isTransient(fault)
    {
      throw fault
    }
    guard connection.isSound else { throw connection.lostFault }
    if version == number { return StorageMark(token: token) }
    // Before the first commit there is nothing that could have another history.
    if version == 0 { return StorageMark(token: 0) }
    let found = try connection.run(connection.own.token, UnsafeParameters([.integer(version)]))
    return found.rowCount == 0 ? nil : StorageMark(token: found.integer(0, 0))
  }

  func changes(since version: Int64, of entities: Set<EntityDescription>) throws -> NetChanges? {
    try changes(since: version, of: entities, atMost: ChangeLogObjects.mostBytesRead)
  }

  /// Does the same, and also returns nil if the logged changes have more bytes than a limit.
  final func changes(
    since version: Int64, of entities: Set<EntityDescription>, atMost limit: Int64
  ) throws -> NetChanges? {
    check()
    findVersion()
    if number - version > ChangeLogObjects.mostRowsRead { return nil }
    let start = UnsafeParameters([.integer(version)])
    // A few rows never have so many bytes.
    if number - version > limit / Int64(ServerLog.mostLogged),
      try connection.run(connection.own.changesSize, start).integer(0, 0) > limit
    {
      return nil
    }
    let layouts = entities.map { connection.statements(of: $0).layout }
      .sorted { $0.name.lexicographicallyPrecedes($1.name) }
    var logged = ChangeLogObjects(layouts)
    let found = try connection.run(connection.own.changes, start)
    guard Int64(found.rowCount) == number - version else { return nil }
    let isByTool = (0..<found.rowCount).contains { found.cell($0, 1).isNull }
    var toolRows = try ToolRows(
      since: version, ifNeeded: isByTool, connection, atMost: ChangeLogObjects.mostRowsRead,
      bytes: limit)
    for row in 0..<found.rowCount {
      guard found.integer(row, 0) == version + Int64(row) + 1 else { return nil }
      if case .bytes(let bytes) = found.value(row, 1) {
        if !logged.add(row: bytes) { return nil }
      } else if !toolRows.add(of: found.integer(row, 0), to: &logged) {
        return nil
      }
    }
    // A store's own commits leave each row its number.
    return try logged.changes(notesRewritten: isByTool) { entity, objects in
      // One by one, each would take a round trip, perhaps while this store has the writers' lock.
      var now: [StoredValue: EntityRow] = [:]
      try forEachObject(of: entity, ids: objects.map(\.id)) { object, _ in now[object.id] = object }
      let found = now
      return { found[$0] }
    }
  }
}

extension ServerConnection {
  /// Returns a version, and throws if no commit can have it.
  ///
  /// Someone may have written such a version into the log.
  final func checked(_ version: Int64) throws -> Int64 {
    // Parts of a version are counted as `Int`.
    if (0..<1 << Int64(Int.bitWidth - 2)).contains(version) { return version }
    throw StoreError.fault(
      .corrupt,
      "\(place): its log has the version \(version), which no commit can have; delete that row of "
        + "signalbox_log, or put back a copy", operation: operation)
  }
}
#endif
