internal import EntityStore

/// Reads through one connection, inside a transaction that somebody else opens and ends.
class SQLiteReader: StorageReader {
  let connection: Connection
  fileprivate final var number: Int64
  private var time = ReadingTime()

  init(_ connection: Connection) throws {
    self.connection = connection
    number = try SQLiteLayout.version(connection)
  }

  /// Ends the time in which it may be used.
  ///
  /// Its connection is another reader's by then, on another thread.
  final func end() { time.end() }

  final func checkTime() { time.check() }

  var version: Int64 {
    time.check()
    return number
  }

  func row(of entity: EntityDescription, id: StoredValue) throws -> EntityRow? {
    time.check()
    var found: EntityRow?
    let statements = try connection.statements(of: entity)
    try statements.row().run(statements.sqlID(id)) {
      found = try entity.row(statements.shape.values($0))
    }
    return found
  }

  func ids(of entity: EntityDescription, where columns: [Int], equal values: [StoredValue]) throws
    -> [StoredValue]
  {
    time.check()
    var ids: [StoredValue] = []
    let statements = try connection.statements(of: entity)
    try statements.ids(where: columns).run(entity.sqlValues(values, of: columns)) {
      ids.append(contentsOf: statements.idShape.values($0))
    }
    return ids
  }

  func fetch(_ plan: FetchPlan) throws -> [FetchedRow] {
    time.check()
    let shape = try connection.statements(of: plan.entity).shape
    let query = SQLQuery(plan)
    let residual = query.residual.map { CompiledExpression($0, of: plan.entity) }
    let readers = plan.values.map { CompiledExpression($0, of: plan.entity) }
    var rows: [FetchedRow] = []
    try connection.query(query.select.sql).run(query.select.values) { statement in
      let row = try plan.entity.row(shape.values(statement))
      for condition in residual {
        guard try condition.isTrue(of: row, reading: self) else { return }
      }
      let values = try zip(readers, query.valueColumns).map { reader, column in
        try column.map(statement.value) ?? reader.value(of: row, reading: self)
      }
      rows.append(FetchedRow(row: row, values: values))
    }
    if query.isFinished { return rows }
    return query.isSorted ? plan.limited(rows) : try plan.sorted(rows, reading: self)
  }

  func count(_ entity: EntityDescription, where filter: QueryExpression?) throws -> Int {
    time.check()
    _ = try connection.statements(of: entity)
    let scope = SQLScope(entity)
    guard let filter else {
      return try count("SELECT COUNT(*) FROM \(scope.from)", [])
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
    try connection.query(sql).run(values) { count = Int($0.integer(0)) }
    return count
  }
}

/// A commit on its way into a file: an open write transaction of the writing connection.
final class SQLiteTransaction: SQLiteReader, StorageTransaction {
  override init(_ connection: Connection) throws {
    if let fault = connection.logFault { throw StoreError.storage(fault) }
    connection.activity = .beginning
    // One is open still if a fault kept it from being rolled back.
    if connection.isInTransaction { try connection.execute("ROLLBACK") }
    try connection.execute("BEGIN IMMEDIATE")
    do {
      try connection.checkPlace()
      try super.init(connection)
    } catch {
      try? connection.execute("ROLLBACK")
      throw error
    }
    connection.activity = .reading
  }

  /// Writes the rows: first those that go, and those whose unique keys change, then the others, so
  /// that two objects can swap their keys (P6).
  func apply(_ changes: NetChanges) throws {
    try checkOpen()
    connection.activity = .writing(version: number + 1)
    try checkStrangers(changes)
    var inserted: [EntityRow] = []
    for table in changes.tables {
      let entity = table.entity
      let statements = try connection.statements(of: entity)
      let update = try statements.update()
      let delete = try statements.delete()
      let order = entity.columns.indices.filter { $0 != entity.identity } + [entity.identity]
      var updated: [EntityRow] = []
      for change in table.all {
        switch (change.old, change.new) {
        case (nil, let new?): inserted.append(new)
        case (_?, nil): try delete.run(statements.sqlID(change.id))
        case (let old?, let new?):
          if entity.uniqueKeys.contains(where: { old.values(at: $0) != new.values(at: $0) }) {
            try delete.run(statements.sqlID(change.id))
            inserted.append(new)
          } else {
            updated.append(new)
          }
        case (nil, nil): break
        }
      }
      for row in updated {
        try update.run(entity.sqlValues(row.values(at: order), of: order))
      }
    }
    for row in inserted {
      let entity = row.entity
      try connection.statements(of: entity).insert()
        .run(entity.sqlValues(row.values, of: Array(entity.columns.indices)))
    }
    number += 1
    try SQLiteLayout.log(number, connection)
  }

  /// Throws if an object that goes is referred to by a table that the store doesn't know (S4).
  private func checkStrangers(_ changes: NetChanges) throws {
    let deleted = changes.tables.lazy.flatMap(\.all)
      .compactMap { $0.new == nil ? $0.old : nil }
    if deleted.isEmpty { return }
    let strangers = try connection.strangers()
    for row in deleted { try strangers.checkDeleting(row, connection) }
  }

  func commit() throws {
    try checkOpen()
    connection.activity = .committing(version: number)
    do {
      try connection.execute("COMMIT")
    } catch StoreError.storage(let fault) {
      rollBack()
      if fault.leavesNothing { throw StoreError.storage(fault) }
      throw StoreError.outcomeUnknown(version: number, fault: fault)
    }
    connection.moveLogIfLong()
  }

  /// Throws if SQLite has undone the transaction, as it does when a read fails, too.
  ///
  /// Whoever read may have kept the error to himself, and each statement from here on would be a
  /// transaction of its own.
  private func checkOpen() throws {
    if connection.isInTransaction { return }
    throw StoreError.storage(
      connection.lastFault
        ?? StorageFault(.other, "\(connection.path): SQLite has undone the commit; make it again"))
  }

  func rollBack() {
    // A failure here leaves no transaction: SQLite has rolled back by itself.
    if connection.isInTransaction { try? connection.execute("ROLLBACK") }
  }
}
