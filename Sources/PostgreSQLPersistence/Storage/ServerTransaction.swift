#if PostgreSQL
@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

/// A commit that is being written: an open transaction that holds the lock of the schema's writers.
final class ServerTransaction: ServerReader, StorageTransaction {
  private let storage: PostgreSQLStorage
  private var log: ChangeLogWriter
  private var givenIDs: [EntityDescription: Int64] = [:]
  /// The server's number of the transaction, by which a lost connection's outcome is found.
  private var serverNumber: Int64?
  private var isOver = false

  init(_ connection: ServerConnection, in storage: PostgreSQLStorage) throws {
    self.storage = storage
    log = ChangeLogWriter(limit: PostgreSQLStorage.mostLogged)
    connection.operation = "waiting for other writers"
    let place = connection.place
    do {
      // The version is read by a statement after the lock, so that it is that of the last writer.
      try connection.execute(
        """
        BEGIN; \(ServerLayout.settings(place)); SET LOCAL lock_timeout = '\(storage.waiting)ms'; \
        \(storage.durability == .normal ? "SET LOCAL synchronous_commit = off; " : "")\
        \(ServerLayout.lock(place))
        """)
      try super.init(connection)
    } catch {
      if connection.isSound { _ = try? connection.execute("ROLLBACK") }
      throw error
    }
    connection.operation = "reading"
  }

  // MARK: Ids

  func lastID(of entity: EntityDescription) throws -> Int64? {
    check()
    guard entity.columns[entity.identity].type == .integer else { return nil }
    let noted = try connection.run(
      "SELECT last FROM signalbox_ids WHERE entity = $1", [.text(entity.name)])
    let column = entity.sqlColumns(of: [entity.identity])[0].quotedName
    let highest = try connection.run(
      "SELECT COALESCE(MAX(\(column)), 0) FROM \(entity.quotedName)", [])
    return max(0, highest.integer(0, 0), noted.rowCount == 0 ? 0 : noted.integer(0, 0))
  }

  func keep(lastIDs: [EntityDescription: Int64]) throws { givenIDs = lastIDs }

  private func writeLastIDs(_ changes: NetChanges) throws {
    var last = givenIDs
    for table in changes.tables where table.entity.columns[table.entity.identity].type == .integer {
      for change in table.all where change.new == nil {
        if case .integer(let id) = change.id, id > 0 {
          last[table.entity] = max(last[table.entity] ?? 0, id)
        }
      }
    }
    for (entity, id) in last {
      try connection.run(
        """
        INSERT INTO signalbox_ids (entity, last) VALUES ($1, $2)
        ON CONFLICT (entity) DO UPDATE SET last = greatest(signalbox_ids.last, excluded.last)
        """, [.text(entity.name), .integer(id)])
    }
  }

  // MARK: Writing

  func apply(_ changes: NetChanges) throws {
    check()
    connection.operation = "writing version \(number + 1)"
    try ServerText.check(changes)
    serverNumber = try connection.run(
      "SELECT CAST(CAST(pg_current_xact_id() AS text) AS bigint)", []
    ).integer(0, 0)
    for table in changes.tables { try delete(table) }
    for table in changes.tables { try update(table) }
    for table in changes.tables { try insert(table) }
    try writeLastIDs(changes)
    log.reset()
    for table in changes.tables {
      if !log.append(table, connection.layout(of: table.entity)) { break }
    }
    token = .random(in: .min ... .max)
    number += 1
    try connection.run(
      "INSERT INTO signalbox_log (version, token, changes) VALUES ($1, $2, $3)",
      [.integer(number), .integer(token), .bytes(log.row)])
    if number % 256 == 0 {
      try connection.run(
        "DELETE FROM signalbox_log WHERE version <= $1",
        [.integer(number - PostgreSQLStorage.mostVersions)])
    }
  }

  private func arrays(
    _ columns: [SQLColumn], _ rows: [[StoredValue]]
  ) -> [UnsafeParameters.Parameter] {
    columns.indices.map { index in .array(columns[index].type, rows.map { $0[index] }) }
  }

  /// Returns `unnest` of arrays, as a table with columns `c0`, `c1` and so on.
  private func unnested(_ columns: [SQLColumn]) -> String {
    let arrays = columns.enumerated().map { "$\($0 + 1)::\(ServerType($1.type).arraySQL)" }
    return "unnest(\(arrays.joined(separator: ", "))) AS given "
      + "(\(columns.indices.map { "c\($0)" }.joined(separator: ", ")))"
  }

  private func delete(_ table: TableChanges) throws {
    let entity = table.entity
    let ids = table.all.filter { $0.new == nil && $0.old != nil }.map(\.id)
    if ids.isEmpty { return }
    let columns = entity.sqlColumns(of: [entity.identity])
    let tests = columns.enumerated().map { "\(entity.quotedName).\($1.quotedName) = given.c\($0)" }
    try connection.run(
      "DELETE FROM \(entity.quotedName) USING \(unnested(columns)) WHERE "
        + tests.joined(separator: " AND "),
      with: arrays(columns, ids.map { entity.sqlValues([$0], of: [entity.identity]) }))
  }

  private func update(_ table: TableChanges) throws {
    let entity = table.entity
    let rows = table.all.compactMap { $0.old == nil ? nil : $0.new }
    let others = entity.columns.indices.filter { $0 != entity.identity }
    if rows.isEmpty || others.isEmpty { return }
    let attributes = [entity.identity] + others
    let columns = entity.sqlColumns(of: attributes)
    let idCount = entity.sqlColumns(of: [entity.identity]).count
    let settings = columns.indices.dropFirst(idCount).map {
      "\(columns[$0].quotedName) = given.c\($0)"
    }
    let tests = columns.indices.prefix(idCount).map {
      "\(entity.quotedName).\(columns[$0].quotedName) = given.c\($0)"
    }
    try connection.run(
      "UPDATE \(entity.quotedName) SET \(settings.joined(separator: ", ")) "
        + "FROM \(unnested(columns)) WHERE \(tests.joined(separator: " AND "))",
      with: arrays(
        columns, rows.map { entity.sqlValues($0.values(at: attributes), of: attributes) }))
  }

  private func insert(_ table: TableChanges) throws {
    let entity = table.entity
    let rows = table.all.compactMap { $0.old == nil ? $0.new : nil }
    if rows.isEmpty { return }
    let attributes = Array(entity.columns.indices)
    let columns = entity.sqlColumns
    try connection.run(
      "INSERT INTO \(entity.quotedName) (\(entity.quotedColumns(of: attributes))) "
        + "SELECT * FROM \(unnested(columns))",
      with: arrays(
        columns, rows.map { entity.sqlValues($0.values(at: attributes), of: attributes) }))
  }

  // MARK: The end

  func commit() throws {
    check()
    connection.operation = "committing version \(number)"
    isOver = true
    defer { storage.giveBackWriter(connection) }
    do {
      try connection.execute("COMMIT")
    } catch StoreError.storage(let fault) {
      if connection.isSound {
        if connection.isInTransaction { _ = try? connection.execute("ROLLBACK") }
        throw StoreError.storage(fault)
      }
      // The answer was lost. The server says what has become of the transaction.
      switch storage.outcome(of: serverNumber, version: number, token: token) {
      case .committed: break
      case .rolledBack: throw StoreError.storage(fault)
      case .unknown: throw StoreError.outcomeUnknown(version: number, fault: fault)
      }
    }
    storage.tellOthers()
  }

  func rollBack() {
    if isOver { return }
    isOver = true
    if connection.isSound { _ = try? connection.execute("ROLLBACK") }
    storage.giveBackWriter(connection)
  }

  deinit { rollBack() }
}
#endif
