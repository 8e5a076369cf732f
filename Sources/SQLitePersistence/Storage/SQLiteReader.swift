@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping
internal import SQLiteLibrary

/// A reader of one connection, inside a transaction that its owner opens and ends.
class SQLiteReader: RowNumberReader, ExternalChangeReader {
  var rowNumberReader: (any RowNumberReader)? { self }
  var externalChangeReader: (any ExternalChangeReader)? { self }

  /// The number of rows that are counted in so short a time that nothing has to end it.
  private static var mostCountedAtOnce: Int { 100_000 }

  /// The connection, until the reader ends.
  ///
  /// The app may keep a reader or a draft, and must not keep the file open by that.
  @exclusivity(unchecked) final private(set) var connection: StoreConnection!
  final var number: Int64
  /// The token of that version, if it is known already.
  ///
  /// Few readers request it.
  final var token: Int64?
  /// The number of changes of the connection's gate when the reader was created.
  private let gateCount: Int
  private var time = ReadingTime()

  /// A reader of a write transaction reads the version's token at once.
  init(_ connection: StoreConnection, isWriting: Bool = false) throws {
    self.connection = connection
    gateCount = connection.gate?.changeCount ?? 0
    try connection.schemaWatch?.check()
    if isWriting {
      (number, token) = try connection.control.newest()
    } else {
      number = try connection.control.version()
    }
  }

  /// Ends the time in which the reader may be used.
  ///
  /// Its connection belongs to another reader then, on another thread.
  final func end() {
    time.end()
    letGoOfConnection()
  }

  final func letGoOfConnection() { connection = nil }

  /// Checks that the reader may be used, and that it still reads its version.
  final func check() throws {
    time.check()
    try connection.checkGate()
    try connection.checkIsInTransaction()
  }

  var version: Int64 {
    time.check()
    return number
  }

  func mark(of version: Int64) throws -> StorageMark? {
    try check()
    // Reads of this version may have failed, unnoticed here, while the store was suspended.
    try connection.gate?.check(connection.activity, since: gateCount)
    let known =
      try version == number
      ? token ?? connection.control.token(of: version) : connection.control.token(of: version)
    return known.map { StorageMark(token: $0, layout: connection.schemaWatch?.layout ?? 0) }
  }

  /// The dialect, which finds words by the indexes that are up to date with the open transaction.
  final var dialect: SQLiteDialect { SQLiteDialect(search: connection.search) }

  func row(of entity: EntityDescription, id: StoredValue) throws -> EntityRow? {
    try check()
    return try connection.statements(of: entity).object(id)
  }

  func ids(of entity: EntityDescription, where columns: [Int], equal values: [StoredValue]) throws
    -> [StoredValue]
  {
    try check()
    var ids: [StoredValue] = []
    let statements = try connection.statements(of: entity)
    try statements.ids(where: columns).run(entity.sqlValues(values, of: columns)) {
      ids.append(contentsOf: statements.idShape.values($0.value))
    }
    return ids
  }

  func fetch(_ plan: FetchPlan) throws -> [FetchedRow] {
    try check()
    let query = SQLQuery(plan, dialect)
    if let rows = try query.valuesWithinLimit(of: plan, reading: self) { return rows }
    let readers = plan.values.map { CompiledExpression($0, of: plan.entity) }
    let checks = ValueChecks(plan.values)
    var rows: [FetchedRow] = []
    try forEach(plan, query) { statement, row, related in
      let values = try zip(readers, query.valueColumns).map { reader, column in
        try column.map(statement.value) ?? reader.uncheckedValue(of: row, reading: related)
      }
      try checks.check { values[$0] }
      rows.append(FetchedRow(row: row, values: values))
    }
    if query.isFinished { return rows }
    return query.isSorted ? plan.limited(rows) : try plan.sorted(rows, reading: self)
  }

  func rows(_ plan: FetchPlan) throws -> [EntityRow] {
    try check()
    let query = SQLQuery(plan, dialect)
    guard query.isSorted, plan.values.isEmpty else { return try fetch(plan).map(\.row) }
    var rows: [EntityRow] = []
    try forEach(plan, query) { _, row, _ in rows.append(row) }
    return query.isFinished ? rows : plan.limited(rows)
  }

  func forEachRow(_ plan: FetchPlan, _ body: (EntityRow) throws -> Void) throws -> Bool {
    try check()
    let query = SQLQuery(plan, dialect)
    guard query.isFinished, plan.values.isEmpty else { return false }
    try forEach(plan, query) { _, row, _ in try body(row) }
    return true
  }

  func forEachValues(_ plan: FetchPlan, _ body: ([StoredValue]) throws -> Void) throws {
    try check()
    guard let query = SQLValues(plan, dialect) else {
      for row in try fetch(plan) { try body(row.values) }
      return
    }
    try connection.checkIsInTransaction()
    try connection.statements(of: plan.entity).checkNotMaking()
    // `body` may make values of an app's types, whose code may run the same query.
    try connection.withQuery(query.select.sql) {
      try $0.run(query.select.values) { statement in try body(query.values(statement.value)) }
    }
  }

  /// Calls `body` with each object that meets a plan's condition, in the order of the query, as far
  /// as they are needed.
  ///
  /// `related` reads other objects for the evaluation of the plan's expressions.
  private func forEach(
    _ plan: FetchPlan, _ query: SQLQuery,
    _ body: (Statement, EntityRow, _ related: any StorageReader) throws -> Void
  ) throws {
    // The search for an index of words may have ended the transaction, unnoticed.
    try connection.checkIsInTransaction()
    let statements = try connection.statements(of: plan.entity)
    statements.checkNotMaking()
    let condition = query.condition
    let related: any StorageReader =
      remembering(SharedReads(of: query.evaluatedHere(of: plan))) ?? self
    let end = query.end ?? .max
    let values = query.select.values
    // An app's `deinit` may fetch the same query when a row is released.
    try connection.withQuery(query.select.sql) { statement in
      defer { statement.reset(clearing: !values.isEmpty) }
      for (index, value) in values.enumerated() { try statement.bind(value, at: Int32(index + 1)) }
      var count = 0
      while count < end, try statement.step() {
        let row = try statements.object(statement)
        guard try condition?.isTrueUnchecked(of: row, reading: related) ?? true else { continue }
        count += 1
        try body(statement, row, related)
      }
      if count == end { try statement.endEarly() }
    }
  }

  func count(_ entity: EntityDescription, where filter: QueryExpression?) throws -> Int {
    try check()
    let statements = try connection.statements(of: entity)
    let scope = SQLScope(entity, dialect)
    guard let filter else {
      let table = scope.from
      let plain = "SELECT COUNT(*) FROM \(table)"
      let number: Int
      if statements.counted == nil && !connection.stepWatch.areTreesSound {
        // The file may be one whose pages lead to each other many times. If the first count takes
        // long, it is given up for one with a step for each row, which the step watch can end.
        number =
          try inOneStep { try countInTime(plain) }
          ?? count("SELECT COALESCE(SUM(1), 0) FROM \(table)", [])
      } else if let last = statements.counted, last < Self.mostCountedAtOnce {
        number = try count(plain, [])
      } else {
        number = try inOneStep { try count(plain, []) }
      }
      statements.counted = number
      return number
    }
    // SQLite would make a value of an owner's objects again for each row.
    guard SharedReads(of: [filter]) != .values,
      let condition = SQLTranslation(scope: scope).expressed(filter, after: 0)
    else {
      let plan = FetchPlan(of: entity, where: filter).unordered
      var number = 0
      try forEach(plan, SQLQuery(plan, dialect)) { _, _, _ in number += 1 }
      return number
    }
    try connection.checkIsInTransaction()
    return try count(
      "SELECT COUNT(*) FROM \(scope.from) WHERE \(condition.sql)", condition.values)
  }

  func wordCount(of entity: EntityDescription) throws -> Int? {
    try check()
    return try connection.search.wordCount(of: entity)
  }

  /// Runs `body`, which SQLite may do in a single step, and ends it if the store is suspended.
  ///
  /// `body` may run several times.
  func inOneStep<Result>(_ body: () throws -> Result) throws -> Result {
    // An interruption ends all statements of the connection.
    guard let gate = connection.gate, !connection.isRunningStatement else { return try body() }
    return try gate.interruptibly(connection.handle) {
      // The store may have been suspended just before.
      while true {
        try connection.checkGate()
        // If the store has been resumed since it was suspended, it is tried again.
        do { return try body() } catch StoreError.storage(let fault)
          where fault.code == Int(SQLITE_INTERRUPT)
        {}
      }
    }
  }

  /// Returns a count that SQLite makes in a single step, or nil if it takes longer than a scan of
  /// the whole file from a slow disk.
  private func countInTime(_ sql: String) throws -> Int? {
    // An interruption ends all statements of the connection.
    if connection.isRunningStatement { return nil }
    let milliseconds = 1000 + connection.stepWatch.bytes / 20_000
    let time = Duration.milliseconds(milliseconds)
    guard let deadline = StatementDeadline.begin(time, for: connection.handle) else { return nil }
    do {
      let number = try count(sql, [])
      _ = deadline.end()
      return number
    } catch {
      if deadline.end() { return nil }
      throw error
    }
  }

  private func count(_ sql: String, _ values: [StoredValue]) throws -> Int {
    Int(clamping: try connection.integer(sql, values) ?? 0)
  }
}
