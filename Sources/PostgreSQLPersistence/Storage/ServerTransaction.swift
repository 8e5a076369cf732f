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

  init(_ connection: StoreConnection, in storage: PostgreSQLStorage) throws {
    self.storage = storage
    log = ChangeLogWriter(limit: PostgreSQLStorage.mostLogged)
    connection.operation = "waiting for other writers"
    let statements = connection.own
    do {
      connection.enqueue(statements.beginCommit)
      connection.enqueue(statements.lock)
      // The version is read by a statement after the lock, so that it is that of the last writer.
      let newest = try connection.run(statements.newestAndNumber)
      serverNumber = newest.integer(0, 2)
      super.init(connection, newest)
    } catch {
      connection.rollBack()
      throw error
    }
    connection.operation = "reading"
  }

  // MARK: Ids

  func lastID(of entity: EntityDescription) throws -> Int64? {
    check()
    guard let statement = connection.statements(of: entity).lastID else { return nil }
    return try connection.run(statement, UnsafeParameters([.text(entity.name)])).integer(0, 0)
  }

  func keep(lastIDs: [EntityDescription: Int64]) throws { givenIDs = lastIDs }

  private func writeLastIDs(_ changes: NetChanges) {
    var last = givenIDs
    for table in changes.tables where table.entity.columns[table.entity.identity].type == .integer {
      for change in table.all where change.new == nil {
        if case .integer(let id) = change.id, id > 0 {
          last[table.entity] = max(last[table.entity] ?? 0, id)
        }
      }
    }
    for (entity, id) in last {
      connection.enqueue(
        connection.own.lastIDs, UnsafeParameters([.text(entity.name), .integer(id)]))
    }
  }

  // MARK: Writing

  /// Adds the writes to the statements that are sent next: with the next read, or with the end.
  func apply(_ changes: NetChanges) throws {
    check()
    connection.operation = "writing version \(number + 1)"
    try ServerText.check(changes)
    for table in changes.tables { delete(table) }
    for table in changes.tables { update(table) }
    for table in changes.tables { insert(table) }
    writeLastIDs(changes)
    log.reset()
    for table in changes.tables {
      if !log.append(table, connection.statements(of: table.entity).layout) { break }
    }
    token = .random(in: .min ... .max)
    number += 1
    connection.enqueue(
      connection.own.logRow,
      UnsafeParameters([.integer(number), .integer(token), .bytes(log.row)]))
    if number % 256 == 0 {
      connection.enqueue(
        connection.own.trimLog,
        UnsafeParameters([.integer(number - PostgreSQLStorage.mostVersions)]))
    }
  }

  private func delete(_ table: TableChanges) {
    let ids = table.all.compactMap { $0.new == nil ? $0.id : nil }
    if ids.isEmpty { return }
    let statements = connection.statements(of: table.entity)
    connection.enqueue(statements.deletion, statements.idArrays(ids))
  }

  private func update(_ table: TableChanges) {
    let statements = connection.statements(of: table.entity)
    guard let change = statements.change,
      table.all.contains(where: { $0.old != nil && $0.new != nil })
    else { return }
    connection.enqueue(
      change,
      statements.arrays(statements.changedAttributes, table.all) { $0.old == nil ? nil : $0.new })
  }

  private func insert(_ table: TableChanges) {
    if !table.all.contains(where: { $0.old == nil && $0.new != nil }) { return }
    let statements = connection.statements(of: table.entity)
    connection.enqueue(
      statements.insertion,
      statements.arrays(Array(table.entity.columns.indices), table.all) {
        $0.old == nil ? $0.new : nil
      })
  }

  // MARK: The end

  func commit() throws {
    check()
    connection.operation = "committing version \(number)"
    isOver = true
    defer { storage.giveBackWriter(connection) }
    do {
      try connection.run(connection.own.commit)
    } catch StoreError.storage(let fault) {
      if connection.isSound {
        connection.rollBack()
        throw StoreError.storage(fault)
      }
      // The answer was lost. The server says what has become of the transaction.
      switch storage.outcome(of: serverNumber, version: number, token: token) {
      case .committed: break
      case .rolledBack: throw StoreError.storage(fault)
      case .unknown: throw StoreError.outcomeUnknown(version: number, fault: fault)
      }
    }
    storage.didCommit(number, token)
  }

  func rollBack() {
    if isOver { return }
    isOver = true
    connection.rollBack()
    storage.giveBackWriter(connection)
  }

  deinit { rollBack() }
}
#endif
