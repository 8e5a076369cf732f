internal import EntityStore

/// Reads through one connection, inside a transaction that somebody else opens and ends.
class SQLiteReader: StorageReader {
  let connection: Connection
  fileprivate final var number: Int64
  /// What was drawn for that version, if it is known already: few who read ask for it.
  fileprivate final var token: Int64?
  private var time = ReadingTime()

  /// A reader; one that is there to write asks for the version's token at once.
  init(_ connection: Connection, isWriting: Bool = false) throws {
    self.connection = connection
    try connection.schemaWatch?.check()
    if isWriting {
      (number, token) = try connection.newest()
    } else {
      number = try connection.version()
    }
  }

  /// Ends the time in which it may be used.
  ///
  /// Its connection is another reader's by then, on another thread.
  final func end() { time.end() }

  /// Checks that it may be used, and that what it reads is of its version still.
  final func check() throws {
    time.check()
    try connection.checkIsInTransaction()
  }

  var version: Int64 {
    time.check()
    return number
  }

  func mark(of version: Int64) throws -> StorageMark? {
    try check()
    let known =
      try version == number ? token ?? connection.token(of: version) : connection.token(of: version)
    return known.map { StorageMark(token: $0, layout: connection.schemaWatch?.layout ?? 0) }
  }

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
      ids.append(contentsOf: statements.idShape.values($0))
    }
    return ids
  }

  func fetch(_ plan: FetchPlan) throws -> [FetchedRow] {
    try check()
    let query = SQLQuery(plan)
    let readers = plan.values.map { CompiledExpression($0, of: plan.entity) }
    let checks = RelatedValueChecks(plan.values)
    var rows: [FetchedRow] = []
    try forEach(plan, query) { statement, row in
      let values = try zip(readers, query.valueColumns).map { reader, column in
        try column.map(statement.value) ?? reader.uncheckedValue(of: row, reading: self)
      }
      try checks.check(values)
      rows.append(FetchedRow(row: row, values: values))
    }
    if query.isFinished { return rows }
    return query.isSorted ? plan.limited(rows) : try plan.sorted(rows, reading: self)
  }

  func rows(_ plan: FetchPlan) throws -> [EntityRow] {
    try check()
    let query = SQLQuery(plan)
    guard query.isSorted, plan.values.isEmpty else { return try fetch(plan).map(\.row) }
    var rows: [EntityRow] = []
    try forEach(plan, query) { rows.append($1) }
    return query.isFinished ? rows : plan.limited(rows)
  }

  func forEachRow(_ plan: FetchPlan, _ body: (EntityRow) throws -> Void) throws -> Bool {
    try check()
    let query = SQLQuery(plan)
    guard query.isFinished, plan.values.isEmpty else { return false }
    try forEach(plan, query) { try body($1) }
    return true
  }

  /// Calls `body` with each object that meets a plan's condition, in the order of the query.
  private func forEach(
    _ plan: FetchPlan, _ query: SQLQuery, _ body: (Statement, EntityRow) throws -> Void
  ) throws {
    let statements = try connection.statements(of: plan.entity)
    let residual = query.residual.map { CompiledExpression($0, of: plan.entity) }
    try connection.query(query.select.sql).run(query.select.values) { statement in
      let row = try statements.object(statement)
      for condition in residual {
        guard try condition.isTrueUnchecked(of: row, reading: self) else { return }
      }
      try body(statement, row)
    }
  }

  func count(_ entity: EntityDescription, where filter: QueryExpression?) throws -> Int {
    try check()
    let statements = try connection.statements(of: entity)
    let scope = SQLScope(entity)
    guard let filter else {
      // COUNT alone is one step to SQLite, which nothing ends in a file whose pages lead to each other many times.
      // So the first count takes a step for each row.
      let sum = statements.hasCounted ? "COUNT(*)" : "COALESCE(SUM(1), 0)"
      let number = try count("SELECT \(sum) FROM \(scope.from)", [])
      statements.hasCounted = true
      return number
    }
    guard let condition = SQLTranslation(scope: scope).sayable(filter, after: 0) else {
      var query = QueryDescription(entity: entity)
      query.filter = filter
      return try fetch(FetchPlan(query)).count
    }
    return try count(
      "SELECT COUNT(*) FROM \(scope.from) WHERE \(condition.sql)", condition.values)
  }

  private func count(_ sql: String, _ values: [StoredValue]) throws -> Int {
    var count = 0
    try connection.query(sql).run(values) { count = Int(clamping: $0.integer(0)) }
    return count
  }
}

/// A commit on its way into a file: an open write transaction of the writing connection.
final class SQLiteTransaction: SQLiteReader, StorageTransaction {
  private let log: CommitLog
  /// The number of the connection's transaction.
  private let transaction: Int
  private var hasWritten = false
  /// The last ids that the commit was given, which it writes.
  var givenIDs: [EntityDescription: Int64] = [:]

  init(_ connection: Connection, _ log: CommitLog) throws {
    self.log = log
    transaction = connection.nextTransaction()
    if let fault = connection.logHealth.fault { throw StoreError.storage(fault) }
    connection.activity = .beginning
    // One is open still if a fault kept it from being rolled back.
    if connection.isInTransaction { try connection.execute("ROLLBACK") }
    try connection.beginWriting()
    do {
      try connection.checkPlace()
      try super.init(connection, isWriting: true)
    } catch {
      try? connection.execute("ROLLBACK")
      throw error
    }
    connection.activity = .reading
  }

  /// The object with an id, or nil.
  ///
  /// A draft asks for each that it inserts.
  override func row(of entity: EntityDescription, id: StoredValue) throws -> EntityRow? {
    if hasWritten { return try super.row(of: entity, id: id) }
    try check()
    let statements = try connection.statements(of: entity)
    if statements.absentIDs.contain(id, in: transaction) { return nil }
    let found = try statements.object(id)
    if found == nil { try statements.absentIDs.noteMiss(statements) }
    return found
  }

  /// Writes the rows: first those that go, and those whose unique keys change, then the others, so
  /// that two objects can swap their keys (P6).
  func apply(_ changes: NetChanges) throws {
    try connection.checkIsInTransaction()
    hasWritten = true
    connection.activity = .writing(version: number + 1)
    try checkStrangers(changes)
    do {
      try write(changes)
    } catch StoreError.storage(let fault) where fault.kind == .full {
      // Old values in the log must not keep the room that was made by deleting.
      rollBack()
      try connection.execute("BEGIN IMMEDIATE")
      guard try connection.version() == number else { throw StoreError.storage(fault) }
      try log.makeRoom(keeping: number)
      try write(changes, isShort: true)
    }
  }

  private func write(_ changes: NetChanges, isShort: Bool = false) throws {
    var rewritten: [EntityRow] = []
    for table in changes.tables {
      let entity = table.entity
      let statements = try connection.statements(of: entity)
      let all = table.all
      var updated: [EntityRow] = []
      // By their positions, so that no change is copied.
      for place in all.indices {
        guard let old = all[place].old else { continue }
        guard let new = all[place].new else {
          try statements.delete(all[place].id)
          continue
        }
        if entity.uniqueKeys.contains(where: { $0.contains { !old.isEqual(to: new, at: $0) } }) {
          try statements.delete(all[place].id)
          rewritten.append(new)
        } else {
          updated.append(new)
        }
      }
      for row in updated { try statements.update(row) }
    }
    for row in rewritten { try connection.statements(of: row.entity).insert(row) }
    for table in changes.tables {
      try connection.statements(of: table.entity).insert(table.all)
    }
    try writeLastIDs(changes)
    token = try log.append(changes, version: number + 1, isShort: isShort)
    number += 1
  }

  /// Makes a version that changes nothing, with a number after that of another one.
  func skip(past version: Int64) throws {
    number = max(number, version)
    token = try log.appendNothing(version: number + 1)
    number += 1
  }

  /// Throws if an object that goes is referred to by a table that the store doesn't know (S4).
  private func checkStrangers(_ changes: NetChanges) throws {
    var strangers: Strangers?
    for table in changes.tables {
      let all = table.all
      for place in all.indices where all[place].new == nil {
        guard let row = all[place].old else { continue }
        let known = try strangers ?? connection.strangers()
        strangers = known
        try known.checkDeleting(row, connection)
      }
    }
  }

  func commit() throws {
    try connection.checkIsInTransaction()
    connection.activity = .committing(version: number)
    do {
      try connection.commit()
    } catch StoreError.storage(let fault) {
      rollBack()
      if fault.leavesNothing { throw StoreError.storage(fault) }
      throw StoreError.outcomeUnknown(version: number, fault: fault)
    }
    // Whoever has opened the file since with new shared memory may write over it.
    if let fault = connection.lostShare {
      throw StoreError.outcomeUnknown(version: number, fault: fault)
    }
    connection.logSync?.noteWritten(number)
    connection.moveLogIfLong()
  }

  func rollBack() {
    // A failure here leaves no transaction: SQLite has rolled back by itself.
    if connection.isInTransaction { try? connection.execute("ROLLBACK") }
  }
}
