internal import Locking

/// The writes of a running commit, on top of the version that it started from.
///
/// As a reader it shows the storage with the writes applied. Only the thread that commits uses it,
/// and no access lasts while other code runs. So exclusivity isn't checked on each access.
final class DraftCore {
  let base: any StorageTransaction
  let store: Store

  /// True while the commit runs.
  @exclusivity(unchecked) private(set) var isOpen = true
  @exclusivity(unchecked) var time = ReadingTime()
  /// The writes to each entity; there are few, so they are searched one by one.
  @exclusivity(unchecked) private(set) var tables: [TableDraft] = []
  /// The table of the last write, which is usually the table of the next one, too.
  @exclusivity(unchecked) private var lastTable: TableDraft?

  /// The state of a table that a write replaced.
  private typealias Replaced = (table: TableDraft, change: ObjectChange, highestID: Int64)

  /// The state that each write of the open savepoints replaced, newest last.
  @exclusivity(unchecked) private var journal: [Replaced] = []
  @exclusivity(unchecked) private var savepoints = 0
  /// The time at which conditions of time are evaluated; the same in the whole body.
  private(set) lazy var instant = store.time.now
  /// The number of writes so far, and of times that the draft was restored.
  @exclusivity(unchecked) private(set) var writes = 0

  init(over base: any StorageTransaction, of store: Store) {
    self.base = base
    self.store = store
  }

  func entity(named name: String) -> EntityDescription? { store.entity(named: name) }

  func close() {
    isOpen = false
    time.end()
  }

  /// Returns the writes to an entity's objects, or nil if there are none.
  func written(to entity: EntityDescription) -> TableDraft? {
    for table in tables where table.entity.type == entity.type { return table }
    return nil
  }

  /// Calls `body` with each object that existed before the commit and is deleted now.
  func forEachDeleted(_ body: (EntityRow) -> Void) {
    for table in tables { table.changes.forEachDeleted(body) }
  }

  func table(of entity: EntityDescription) throws -> TableDraft {
    if let lastTable, lastTable.entity === entity { return lastTable }
    if let table = written(to: entity) {
      lastTable = table
      return table
    }
    guard store.entities.contains(entity) else { throw StoreError.unknownEntity(entity.name) }
    let table = TableDraft(entity)
    tables.append(table)
    lastTable = table
    return table
  }

  // MARK: Writing

  /// The state of an object in the draft.
  struct Entry {
    /// The object as it is now, or nil if there is none.
    let row: EntityRow?
    /// True if the object has been written to.
    ///
    /// If it hasn't, `row` is the object before the commit.
    let isWritten: Bool
  }

  private func entry(in table: TableDraft, id: StoredValue) throws -> Entry {
    if let change = table.change(of: id) { return Entry(row: change.new, isWritten: true) }
    let row = try table.knownRow(id) ?? base.row(of: table.entity, id: id)
    return Entry(row: row, isWritten: false)
  }

  /// Inserts `row`, or replaces the object with its id if `replacing` is true.
  func insert(_ row: EntityRow, replacing: Bool) throws {
    try insert(row, of: row.entity, replacing: replacing)
  }

  /// Inserts or replaces a row of a known entity.
  func insert(_ row: EntityRow, of entity: EntityDescription, replacing: Bool) throws {
    let id = row.id(entity)
    let table = try table(of: entity)
    var entry = try entry(in: table, id: id)
    if entry.row != nil && !replacing { throw StoreError.alreadyExists(row.objectID) }
    let writesBefore = writes
    if !entity.reals.isEmpty { try row.checkNumbers() }
    entity.checkOrder(ofInserted: row)
    // Both calls run code of the app. It must not write, but it can.
    if writes != writesBefore {
      entry = try self.entry(in: table, id: id)
      if entry.row != nil && !replacing { throw StoreError.alreadyExists(row.objectID) }
    }
    set(id, entry, to: row, in: table)
  }

  /// Replaces the object that has the id of `row`.
  func update(_ row: EntityRow) throws {
    let id = row.id
    let table = try table(of: row.entity)
    try row.checkNumbers()
    row.entity.checkOrder(ofUpdated: row)
    let entry = try entry(in: table, id: id)
    guard entry.row != nil else { throw StoreError.notFound(row.objectID) }
    set(id, entry, to: row, in: table)
  }

  /// Begins to change an object; writes until `finish` or `abort` belong to the update.
  ///
  /// One of them must be called, once.
  func beginUpdate(_ entity: EntityDescription, id: StoredValue) throws -> DraftUpdate {
    let table = try table(of: entity)
    let entry = try entry(in: table, id: id)
    guard let row = entry.row else {
      throw StoreError.notFound(ObjectID(entityName: entity.name, id: id))
    }
    return update(of: row, isWritten: entry.isWritten, id, table)
  }

  /// Begins to change an object that the draft has read, without reading it again.
  func beginUpdate(_ row: EntityRow, of entity: EntityDescription) throws -> DraftUpdate {
    let id = row.id(entity)
    let table = try table(of: entity)
    // It may have been written to since it was read.
    if table.change(of: id) != nil { return try beginUpdate(entity, id: id) }
    return update(of: row, isWritten: false, id, table)
  }

  private func update(
    of row: EntityRow, isWritten: Bool, _ id: StoredValue, _ table: TableDraft
  ) -> DraftUpdate {
    savepoints += 1
    return DraftUpdate(
      row: row, isWritten: isWritten, id: id, table: table, journalCount: journal.count,
      writes: writes)
  }

  /// Ends an update, and gives the object its new values, or undoes it and throws.
  func finish(_ update: consuming DraftUpdate, with changed: consuming EntityRow) throws {
    let journalCount = update.journalCount
    do {
      let entry = try check(update, &changed)
      // Releasing the journal may run code that writes to the object. So the journal is released
      // after the object has its new values.
      let gone = leaveSavepoint()
      set(update.id, entry, to: changed, in: update.table)
      withExtendedLifetime(gone) {}
    } catch {
      abort(journalCount)
      throw error
    }
  }

  /// Checks the new values of an update, and returns the object's state.
  ///
  /// If a nested commit has written to the object, `changed` gets the nested commit's values of all
  /// attributes that the update hasn't changed.
  private func check(_ update: DraftUpdate, _ changed: inout EntityRow) throws -> Entry {
    let entity = update.table.entity
    guard changed.id(entity) == update.id else {
      throw StoreError.idChanged(update.row.objectID, to: changed.objectID)
    }
    if !entity.reals.isEmpty { try changed.checkNumbers() }
    entity.checkOrder(ofUpdated: changed)
    // If something was written meanwhile, it may be the object.
    guard writes != update.writes, let change = update.table.change(of: update.id) else {
      return Entry(row: update.row, isWritten: update.isWritten)
    }
    guard let new = change.new else { throw StoreError.notFound(changed.objectID) }
    if !new.isEqual(to: update.row) {
      var values = new.values
      for column in changed.changedColumns(from: update.row) {
        values[column] = changed.value(at: column)
      }
      // Releasing the row may run code that writes to the object. It is released after the update.
      ReleasePool.add(changed)
      changed = try entity.row(values)
    }
    return Entry(row: new, isWritten: true)
  }

  /// Undoes the writes since an update began, when the journal had `journalCount` entries.
  func abort(_ journalCount: Int) {
    restore(to: journalCount)
    leaveSavepoint()
  }

  func delete(_ entity: EntityDescription, id: StoredValue) throws {
    let table = try table(of: entity)
    let entry = try entry(in: table, id: id)
    guard entry.row != nil else {
      throw StoreError.notFound(ObjectID(entityName: entity.name, id: id))
    }
    set(id, entry, to: nil, in: table)
  }

  /// Deletes an object that has just been read from the draft, without reading it again.
  func delete(_ row: EntityRow, of entity: EntityDescription) throws {
    let id = row.id(entity)
    let table = try table(of: entity)
    set(id, Entry(row: row, isWritten: table.change(of: id) != nil), to: nil, in: table)
  }

  private func set(
    _ id: StoredValue, _ entry: consuming Entry, to row: consuming EntityRow?, in table: TableDraft
  ) {
    writes += 1
    let highestID = table.highestID
    guard entry.isWritten else {
      table.add(ObjectChange(id: id, old: entry.row, new: row))
      // Before its first write, an object is as it was before the commit.
      if savepoints > 0 {
        journal.append((table, ObjectChange(id: id, old: entry.row, new: entry.row), highestID))
      }
      return
    }
    let last = table.replaceNew(of: id, with: row)
    if let last, savepoints > 0 { journal.append((table, last, highestID)) }
  }

  // MARK: Savepoints

  /// Keeps what is replaced from now on as long as the draft exists.
  ///
  /// The delete rules replace rows. Releasing these may run code that commits. It does so after the
  /// commit, when its own commit follows all rules.
  func keepReplaced() { savepoints += 1 }

  /// Runs `body`; if it throws, undoes its writes and no others.
  func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
    let journalCount = journal.count
    savepoints += 1
    defer { leaveSavepoint() }
    do {
      return try body()
    } catch {
      restore(to: journalCount)
      throw error
    }
  }

  /// Ends a savepoint, and returns the journal if it was the outermost one.
  ///
  /// The caller releases the journal, which may run code that writes.
  @discardableResult
  private func leaveSavepoint() -> [Replaced] {
    savepoints -= 1
    guard savepoints == 0 else { return [] }
    let gone = journal
    journal = []
    return gone
  }

  /// Undoes the writes since the journal had `journalCount` entries.
  private func restore(to journalCount: Int) {
    writes += 1
    // Releasing a row may run code that writes. So the rows are released after all is restored.
    let replaced = Array(journal[journalCount...])
    journal.removeSubrange(journalCount...)
    var undone: [ObjectChange?] = []
    for write in replaced.reversed() {
      undone.append(write.table.restore(write.change, highestID: write.highestID))
    }
    withExtendedLifetime((replaced, undone)) {}
  }

  /// Returns the net changes: an insert and a delete cancel out, and an equal value is no change.
  func netChanges() -> NetChanges {
    var net = NetChanges()
    for table in tables {
      let changes = table.net
      if changes.count > 0 { net.tables.append(changes) }
    }
    return net
  }
}

extension EntityRow {
  package var objectID: ObjectID { ObjectID(entityName: entity.name, id: id) }

  func checkNumbers() throws {
    let entity = entity
    for column in entity.reals where value(at: column).isNaN {
      throw StoreError.notANumber(objectID, attribute: entity.columns[column].name)
    }
  }
}
