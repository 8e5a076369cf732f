@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

/// A commit that is being written into a file: an open write transaction of the writing connection.
final class SQLiteTransaction: SQLiteReader, StorageTransaction {
  private let log: ChangeLog
  private let wal: WAL
  private let history: HistoryTable?
  private let gate: FileGate
  /// True until the transaction has left the gate.
  private var isInside = true
  /// The number of the connection's transaction.
  private let transaction: Int
  private var hasWritten = false
  /// The last ids that the commit was given, and that it writes.
  var givenIDs: [EntityDescription: Int64] = [:]

  init(_ writer: SQLiteWriter) throws {
    let connection = writer.connection
    log = writer.log
    wal = writer.wal
    history = writer.history
    let gate = writer.gate
    self.gate = gate
    // That of a transaction which was rolled back.
    history?.update = nil
    log.begin()
    transaction = connection.nextTransaction()
    connection.activity = .beginning
    try gate.enter(connection.activity)
    var isOpen = false
    defer { if !isOpen { gate.leave() } }
    // A transaction is still open if a fault kept it from being rolled back.
    if connection.isInTransaction { try connection.execute("ROLLBACK") }
    wal.checkpointIfDue()
    if let fault = wal.health.fault { throw StoreError.storage(fault) }
    connection.activity = .beginning
    // A checkpoint takes long, and may have ended because the store is suspended.
    try gate.check(connection.activity)
    do {
      // If the store is suspended meanwhile, this may fail although SQLite has taken the lock.
      try connection.beginWriting()
      try connection.checkPlace()
      try super.init(connection, isWriting: true)
    } catch {
      if connection.isInTransaction { try? connection.execute("ROLLBACK") }
      throw error
    }
    connection.activity = .reading
    isOpen = true
  }

  deinit { leave() }

  private func leave() {
    guard isInside else { return }
    gate.endCompleting()
    gate.leave()
    isInside = false
    letGoOfConnection()
  }

  /// A draft requests each object that it inserts.
  override func row(of entity: EntityDescription, id: StoredValue) throws -> EntityRow? {
    if hasWritten { return try super.row(of: entity, id: id) }
    try check()
    let statements = try connection.statements(of: entity)
    if statements.absentIDs.contain(id, in: transaction) { return nil }
    let found = try statements.object(id)
    if found == nil { try statements.absentIDs.noteMiss(statements.bounds) }
    return found
  }

  /// Writes the rows, in an order in which two objects can swap their keys (P6).
  ///
  /// Each table's rows are deleted first and updated next. New rows are inserted last. If
  /// `hasFreeKeys` is false, a row whose unique key changes is deleted and inserted again, before
  /// the new rows.
  func apply(_ changes: NetChanges) throws {
    try connection.checkIsInTransaction()
    // From here on nothing but the commit itself takes time.
    gate.beginCompleting()
    hasWritten = true
    connection.activity = .writing(version: number + 1)
    wal.extend()
    try checkUnknownReferrers(changes)
    do {
      try connection.search.begin { try self.changes(since: $0, of: $1) }
      try write(changes)
    } catch StoreError.storage(let fault) where fault.kind == .full {
      // Old values in the change log must not use the room that deleting has made.
      executeRollback()
      do {
        try connection.execute("BEGIN IMMEDIATE")
      } catch {
        // Another program may have the lock by now. `busy` would mean that the body hasn't run.
        throw StoreError.storage(fault)
      }
      guard try connection.control.version() == number else { throw StoreError.storage(fault) }
      try log.makeRoom(keeping: number)
      connection.search.giveUp()
      try write(changes, isShort: true)
    }
  }

  private func write(_ changes: NetChanges, isShort: Bool = false) throws {
    var rewritten: [EntityRow] = []
    try connection.search.remove(changes)
    for table in changes.tables {
      let entity = table.entity
      let statements = try connection.statements(of: entity)
      let all = table.all
      var updated: [EntityRow] = []
      let hasFreeKeys = table.hasFreeKeys
      // Positions are used, so that no change is copied.
      for place in all.indices {
        if all[place].old == nil { continue }
        guard let new = all[place].new else {
          try statements.delete(all[place].id)
          continue
        }
        if !hasFreeKeys && all[place].changesKey(entity) {
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
    try connection.search.insert(changes)
    try writeLastIDs(changes)
    try history?.write(changes, version: number + 1, isShort: isShort)
    token = try log.append(changes, version: number + 1, isShort: isShort) {
      try connection.statements(of: $0).logLayout
    }
    try connection.search.finish()
    number += 1
  }

  /// Makes a version that changes nothing, with a number higher than another one.
  func skip(past version: Int64) throws {
    try connection.search.begin { try changes(since: $0, of: $1) }
    number = max(number, version)
    token = try log.append(NetChanges(), version: number + 1, isShort: true) {
      ChangeLogLayout($0)
    }
    try connection.search.finish()
    number += 1
  }

  /// Throws if a table that the store doesn't know refers to an object that is deleted (S4).
  private func checkUnknownReferrers(_ changes: NetChanges) throws {
    var referrers: UnknownReferrers?
    for table in changes.tables {
      let all = table.all
      var deleted: [EntityRow] = []
      for place in all.indices where all[place].new == nil {
        if let row = all[place].old { deleted.append(row) }
      }
      if deleted.isEmpty { continue }
      let known = try referrers ?? connection.unknownReferrers()
      referrers = known
      try known.checkDeleting(deleted, connection)
    }
  }

  func commit() throws {
    defer { leave() }
    gate.beginCompleting()
    try connection.checkIsInTransaction()
    connection.activity = .committing(version: number)
    do {
      try connection.commit()
    } catch StoreError.storage(let fault) {
      rollBack()
      if fault.leavesNothing { throw StoreError.storage(fault) }
      throw StoreError.outcomeUnknown(version: number, fault: fault)
    }
    log.noteCommit()
    // A process that has opened the file since, with new shared memory, may overwrite the commit.
    if let fault = connection.lostShare {
      throw StoreError.outcomeUnknown(version: number, fault: fault)
    }
    wal.noteCommit(number)
  }

  func rollBack() {
    guard isInside else { return }
    executeRollback()
    leave()
  }

  private func executeRollback() {
    // If this fails, no transaction is open: SQLite has rolled it back automatically.
    if connection.isInTransaction { try? connection.execute("ROLLBACK") }
  }
}
