#if PostgreSQL
@_spi(Storage) internal import EntityStore
internal import Locking
@_spi(Storage) internal import SQLMapping

/// A commit that is being written: an open transaction that holds the lock of the schema's writers.
final class ServerTransaction: ServerReader, StorageTransaction {
  private let storage: PostgreSQLStorage
  private var log: ChangeLogWriter
  private var givenIDs: [EntityDescription: Int64] = [:]
  /// The server's number of the transaction, by which a lost connection's outcome is found.
  private var serverNumber: Int64?
  /// The storage's rhythm of trimming after this commit, or nil if nothing has been written.
  private var trimming: LogTrimming?
  /// True if this commit trims the change log.
  private var isTrimming = false
  private var isOver = false

  /// The objects that were read by their ids, until something is written.
  ///
  /// Then they aren't read any more, and are kept until the transaction ends. An app's code that
  /// runs when an object is released must not run while the commit is written.
  private var known: [EntityDescription: KnownObjects] = [:]
  private var absentIDs: [EntityDescription: IDRange] = [:]
  private var hasWritten = false

  init(_ connection: ServerStoreConnection, in storage: PostgreSQLStorage) throws {
    self.storage = storage
    log = ChangeLogWriter(limit: ServerLog.mostLogged)
    super.init(connection)
    connection.operation = "waiting for other writers"
    let statements = connection.own
    do {
      if connection.isPooled {
        try storage.beginPooled(connection)
      } else {
        connection.enqueue(statements.beginCommit)
        connection.enqueue(statements.lock)
      }
      // The version is read by a statement after the lock, so that it is that of the last writer.
      let newest = try connection.run(statements.newestAndNumber)
      note(newest)
      if let versionError { throw versionError }
      serverNumber = newest.integer(0, 3)
      try checkGeneration()
    } catch {
      isOver = true
      connection.rollBack()
      throw ServerFault.beginning(error, of: connection)
    }
    connection.operation = "reading"
  }

  // MARK: Reading

  func readAhead(
    _ ids: [StoredValue], of entity: EntityDescription, keepsOthers: Bool
  ) throws {
    if hasWritten { return }
    let statements = try statements(of: entity)
    var missing = ids.filter { known[entity]?[$0] == nil && statements.canHave($0) }
    if missing.isEmpty { return }
    if !keepsOthers && known[entity]?.isFull ?? false {
      // The objects that were read ahead before have been asked for by now.
      withExtendedLifetime(known.removeValue(forKey: entity)) {}
      missing = ids.filter(statements.canHave)
    }
    if missing.count == 1 {
      // The server plans a statement with arrays each time.
      _ = try row(of: entity, id: missing[0], keepsAlways: true)
      return
    }
    var found: [StoredValue: (object: EntityRow, size: Int)] = [:]
    found.reserveCapacity(missing.count)
    try forEachObject(of: entity, ids: missing) { found[$0.id] = ($0, $1) }
    // While the objects are in both places, a change would copy all that was read before.
    var objects = known.removeValue(forKey: entity) ?? KnownObjects()
    for id in missing { objects.keep(found[id]?.object, id, size: found[id]?.size ?? 0) }
    known[entity] = objects
  }

  override func row(of entity: EntityDescription, id: StoredValue) throws -> EntityRow? {
    try row(of: entity, id: id, keepsAlways: false)
  }

  /// Returns an object, which is kept if there is room or if it `keepsAlways`.
  private func row(
    of entity: EntityDescription, id: StoredValue, keepsAlways: Bool
  ) throws -> EntityRow? {
    if hasWritten { return try super.row(of: entity, id: id) }
    check()
    if let found = known[entity]?[id] { return found }
    let statements = try statements(of: entity)
    if absentIDs[entity, default: IDRange()].contain(id, in: 1) { return nil }
    let found = try connection.object(of: entity, id: id)
    // The range serves ids that are whole numbers; not every type has a least value.
    if found == nil, case .integer = id, statements.canHave(id) {
      try absentIDs[entity, default: IDRange()].noteMiss {
        let bounds = try connection.run(statements.bounds)
        return (bounds.value(0, 0), bounds.value(0, 1))
      }
    }
    if keepsAlways || !known[entity, default: KnownObjects()].isFull {
      known[entity, default: KnownObjects()].keep(found?.object, id, size: found?.size ?? 0)
    }
    return found?.object
  }

  // MARK: Ids

  func keep(lastIDs: [EntityDescription: Int64]) throws { givenIDs = lastIDs }

  private func writeLastIDs(_ changes: NetChanges) {
    var last = givenIDs
    for table in changes.tables {
      if let id = table.highestID() { last[table.entity] = max(last[table.entity] ?? 0, id) }
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
    hasWritten = true
    releaseSavepoint()
    for table in changes.tables { delete(table) }
    for table in changes.tables { update(table) }
    for table in changes.tables { try insert(table) }
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
    trim(logging: log.row.count)
  }

  /// Adds the statements that trim the change log, as far as they are due.
  private func trim(logging bytes: Int) {
    var trimming = storage.trimming.withLock { $0 }
    let parts = trimming.next(number, bytes: bytes, at: .now)
    self.trimming = trimming
    isTrimming = parts.versions || parts.unread
    if parts.versions {
      let last = UnsafeParameters([.integer(number - ServerLog.mostVersions)])
      connection.enqueue(connection.own.trimLog, last)
      connection.enqueue(connection.own.trimToolRows, last)
    }
    if parts.unread {
      connection.enqueue(connection.own.emptyUnread)
      connection.enqueue(connection.own.deleteUnread)
    }
  }

  /// Notes that the change log has been trimmed, or that it can't be.
  ///
  /// After a conflict, the next commit trims it. Another fault may be one of trimming, such as a
  /// limit of time, and then the next commit must not fail for it, too.
  private func noteTrimming(_ fault: (any Error)? = nil) {
    guard let trimming else { return }
    storage.trimming.withLock { state in
      if case .storage(let found)? = fault as? StoreError, found.kind == .conflict {
        if isTrimming { state.noteConflict(trimming, at: .now) }
      } else {
        state = trimming
      }
    }
  }

  private func delete(_ table: TableChanges) {
    let ids = table.all.compactMap { $0.new == nil ? $0.id : nil }
    if ids.isEmpty { return }
    let statements = connection.statements(of: table.entity)
    guard ids.count <= Self.mostSingle else {
      for part in RowSlices.slices(of: ids) {
        connection.enqueue(statements.deletion, statements.idArrays(part))
      }
      return
    }
    for id in ids {
      connection.enqueue(
        statements.deletionOfOne,
        UnsafeParameters(table.entity.sqlValues([id], of: [table.entity.identity])))
    }
  }

  private func update(_ table: TableChanges) {
    let statements = connection.statements(of: table.entity)
    guard let change = statements.change, let changeOfOne = statements.changeOfOne else { return }
    let changed = table.all.compactMap { $0.old == nil ? nil : $0.new }
    if changed.isEmpty { return }
    enqueue(changed, statements.changedAttributes, of: statements, with: change, one: changeOfOne)
  }

  private func insert(_ table: TableChanges) throws {
    let new = table.all.compactMap { $0.old == nil ? $0.new : nil }
    if new.isEmpty { return }
    let statements = connection.statements(of: table.entity)
    let attributes = Array(table.entity.columns.indices)
    if new.count >= Self.fewestCopied, try mayCopy(statements) {
      // A policy may have been made since. So `mayCopy` isn't known if the copy fails.
      statements.mayCopy = nil
      let count = try connection.copy(statements.copying) { copy in
        for row in new { try copy { statements.copy(row, to: &$0) } }
      }
      statements.mayCopy = true
      if count < new.count { throw connection.unchanged(table.entity.name) }
      return
    }
    enqueue(
      new, attributes, of: statements, with: statements.insertion, one: statements.insertionOfOne)
  }

  /// Returns true if the server copies rows into a table: if no policy holds for the role.
  private func mayCopy(_ statements: ServerEntity) throws -> Bool {
    if let known = statements.mayCopy { return known }
    let mayCopy = try connection.run(statements.hasPolicy).integer(0, 0) == 0
    statements.mayCopy = mayCopy
    return mayCopy
  }

  /// Adds a statement for each of a few rows, or one with arrays for many of them.
  private func enqueue(
    _ rows: [EntityRow], _ attributes: [Int], of statements: ServerEntity,
    with many: ServerStatement, one: ServerStatement
  ) {
    for part in RowSlices(rows, atMostSingle: Self.mostSingle) {
      if part.count > Self.mostSingle {
        connection.enqueue(many, statements.arrays(attributes, part))
        continue
      }
      for row in part { connection.enqueue(one, statements.parameters(attributes, row)) }
    }
  }

  /// The number of rows up to which a statement for each costs less than one with arrays, which the
  /// server plans again each time.
  private static let mostSingle = 4
  /// The number of rows from which on a copy costs less than a statement with arrays.
  private static let fewestCopied = 256

  // MARK: The end

  func commit() throws { try commit { false } }

  func commit(othersWait: () -> Bool) throws {
    check()
    // If others wait, they begin before this commit is on the disk, and share a sync with it. A
    // pooler's connection survives a crash of the server, so it can't vouch for earlier commits.
    let isSynced =
      storage.durability == .full
      && (connection.isPooled || !othersWait() && !storage.isSyncing)
    if isSynced { connection.enqueue(connection.own.syncAtEnd) }
    connection.operation = "committing version \(number)"
    isOver = true
    defer { storage.giveBackWriter(connection) }
    // A read by an observer may have sent the writes, and caught their error. Without a COMMIT,
    // nothing is in doubt.
    if connection.transactionFault != nil || !connection.isSound {
      let fault = connection.transactionFault ?? connection.lostFault
      noteTrimming(fault)
      connection.rollBack()
      throw fault
    }
    do {
      let end = try connection.run(connection.own.commit)
      // The server answers so if a statement of the transaction has failed.
      if end.command != "COMMIT" {
        throw StoreError.storage(
          ServerFault.fault(
            "25P02", "it was rolled back", of: connection.place, while: connection.operation))
      }
    } catch StoreError.storage(let fault) {
      noteTrimming(StoreError.storage(fault))
      if connection.isSound && !(connection.isPooled && ServerFault.isOfServer(fault)) {
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
    noteTrimming()
    let mark = ServerSync.Mark(
      version: number, token: token, connection: connection.serial)
    // A transaction whose answer was lost may not be on the disk, although the server has it.
    storage.didCommit(mark, isSynced: isSynced && connection.isSound)
  }

  func rollBack() {
    if isOver { return }
    isOver = true
    if let fault = connection.transactionFault { noteTrimming(fault) }
    connection.rollBack()
    storage.giveBackWriter(connection)
  }

  deinit { rollBack() }
}
#endif
