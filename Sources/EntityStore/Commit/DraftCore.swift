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

  /// The state that each write of the open savepoints replaced, newest last.
  @exclusivity(unchecked) private var journal: [(table: TableDraft, change: ObjectChange)] = []
  @exclusivity(unchecked) private var savepoints = 0
  /// The time at which conditions of time are evaluated; the same in the whole body.
  private(set) lazy var instant = store.time.now
  /// The number of writes and undos so far.
  @exclusivity(unchecked) private var writes = 0

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
    /// The object before the commit.
    let old: EntityRow?
    /// The object as it is now.
    let new: EntityRow?
    /// True if the object has been written to.
    let isWritten: Bool
  }

  private func entry(in table: TableDraft, id: StoredValue) throws -> Entry {
    if let change = table.changes[id] {
      return Entry(old: change.old, new: change.new, isWritten: true)
    }
    let row = try base.row(of: table.entity, id: id)
    return Entry(old: row, new: row, isWritten: false)
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
    if entry.new != nil && !replacing { throw StoreError.alreadyExists(row.objectID) }
    let mark = writes
    if !entity.reals.isEmpty { try row.checkNumbers() }
    entity.checkOrder(ofInserted: row)
    // Both calls run code of the app. It must not write, but it can.
    if writes != mark {
      entry = try self.entry(in: table, id: id)
      if entry.new != nil && !replacing { throw StoreError.alreadyExists(row.objectID) }
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
    guard entry.new != nil else { throw StoreError.notFound(row.objectID) }
    set(id, entry, to: row, in: table)
  }

  /// Begins to change an object; writes until `finish` or `abort` belong to the update.
  func beginUpdate(_ entity: EntityDescription, id: StoredValue) throws -> DraftUpdate {
    let table = try table(of: entity)
    let entry = try entry(in: table, id: id)
    guard let row = entry.new else {
      throw StoreError.notFound(ObjectID(entityName: entity.name, id: id))
    }
    savepoints += 1
    return DraftUpdate(
      row: row, id: id, table: table, entry: entry, mark: journal.count, writes: writes)
  }

  /// Ends an update, and gives the object its new values.
  func finish(_ update: DraftUpdate, with changed: EntityRow) throws {
    let id = update.id
    guard changed.id(update.table.entity) == id else {
      throw StoreError.idChanged(update.row.objectID, to: changed.objectID)
    }
    let entity = update.table.entity
    if !entity.reals.isEmpty { try changed.checkNumbers() }
    entity.checkOrder(ofUpdated: changed)
    var entry = update.entry
    // The object is looked up again if something was written meanwhile: it may be the object.
    if writes != update.writes { entry = try self.entry(in: update.table, id: id) }
    guard entry.new != nil else { throw StoreError.notFound(changed.objectID) }
    // Releasing the journal may run code that writes to the object. So the journal is released
    // after the object has its new values.
    let gone = leaveSavepoint()
    set(id, entry, to: changed, in: update.table)
    withExtendedLifetime(gone) {}
  }

  /// Undoes the writes since an update began.
  func abort(_ update: DraftUpdate) {
    undo(to: update.mark)
    leaveSavepoint()
  }

  func delete(_ entity: EntityDescription, id: StoredValue) throws {
    let table = try table(of: entity)
    let entry = try entry(in: table, id: id)
    guard entry.new != nil else {
      throw StoreError.notFound(ObjectID(entityName: entity.name, id: id))
    }
    set(id, entry, to: nil, in: table)
  }

  /// Deletes an object that has just been read from the draft, without reading it again.
  func delete(_ row: EntityRow, of entity: EntityDescription) throws {
    let id = row.id(entity)
    let table = try table(of: entity)
    let change = table.changes[id]
    let entry = Entry(old: change == nil ? row : change?.old, new: row, isWritten: change != nil)
    set(id, entry, to: nil, in: table)
  }

  private func set(_ id: StoredValue, _ entry: Entry, to row: EntityRow?, in table: TableDraft) {
    writes += 1
    let change = ObjectChange(id: id, old: entry.old, new: row)
    if entry.isWritten { table.set(change) } else { table.add(change) }
    guard savepoints > 0 else { return }
    // Before its first write, an object is as it was before the commit.
    journal.append((table, ObjectChange(id: id, old: entry.old, new: entry.new)))
  }

  // MARK: Savepoints

  /// Keeps what is replaced from now on as long as the draft exists.
  ///
  /// The delete rules replace rows. Releasing these may run code that commits. It does so after the
  /// commit, when its own commit follows all rules.
  func keepReplaced() { savepoints += 1 }

  /// Runs `body`; if it throws, undoes its writes and no others.
  func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
    let mark = journal.count
    savepoints += 1
    defer { leaveSavepoint() }
    do {
      return try body()
    } catch {
      undo(to: mark)
      throw error
    }
  }

  /// Ends a savepoint, and returns the journal if it was the outermost one.
  ///
  /// The caller releases the journal, which may run code that writes.
  @discardableResult
  private func leaveSavepoint() -> [(table: TableDraft, change: ObjectChange)] {
    savepoints -= 1
    guard savepoints == 0 else { return [] }
    let gone = journal
    journal = []
    return gone
  }

  private func undo(to mark: Int) {
    writes += 1
    // Releasing a row may run code that writes. So the rows are released after all is restored.
    let replaced = Array(journal[mark...])
    journal.removeSubrange(mark...)
    var undone: [ObjectChange?] = []
    for write in replaced.reversed() { undone.append(write.table.set(write.change)) }
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
  /// The object's name.
  package var objectID: ObjectID { ObjectID(entityName: entity.name, id: id) }

  func checkNumbers() throws {
    let entity = entity
    for column in entity.reals where value(at: column).isNaN {
      throw StoreError.notANumber(objectID, attribute: entity.columns[column].name)
    }
  }
}
