/// What a commit has written so far, over the version it started from.
///
/// As a reader it shows the storage with the writes in place. It belongs to the one thread that
/// commits.
final class DraftCore {
  let base: any StorageTransaction
  let store: Store

  /// Whether the commit still runs.
  private(set) var isOpen = true
  var time = ReadingTime()
  /// What has been written to each entity; there are few, so they are looked through.
  private(set) var tables: [TableDraft] = []
  /// The one that was written to last, which is mostly the next one, too.
  private var lastTable: TableDraft?

  /// What each write of the running savepoints replaced, newest last.
  private var journal: [(table: TableDraft, change: ObjectChange)] = []
  private var savepoints = 0
  /// How often something has been written or undone.
  private var writes = 0

  init(over base: any StorageTransaction, of store: Store) {
    self.base = base
    self.store = store
  }

  func entity(named name: String) -> EntityDescription? { store.entity(named: name) }

  func close() {
    isOpen = false
    time.end()
  }

  /// What has been written to an entity's objects, if anything.
  func written(to entity: EntityDescription) -> TableDraft? {
    for table in tables where table.entity.type == entity.type { return table }
    return nil
  }

  /// Calls `body` with each object that was there before the commit and isn't any more.
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

  /// What is known of an object.
  struct Entry {
    /// The object before the commit.
    let old: EntityRow?
    /// The object as it is now.
    let new: EntityRow?
    /// Whether it has been written to.
    let isWritten: Bool
  }

  private func entry(in table: TableDraft, id: StoredValue) throws -> Entry {
    if let change = table.changes[id] {
      return Entry(old: change.old, new: change.new, isWritten: true)
    }
    let row = try base.row(of: table.entity, id: id)
    return Entry(old: row, new: row, isWritten: false)
  }

  /// Inserts `row`, or sets it if `replacing` is true.
  func insert(_ row: EntityRow, replacing: Bool) throws {
    try insert(row, of: row.entity, replacing: replacing)
  }

  /// The same for a row of an entity.
  func insert(_ row: EntityRow, of entity: EntityDescription, replacing: Bool) throws {
    let id = row.id(entity)
    let table = try table(of: entity)
    var entry = try entry(in: table, id: id)
    if entry.new != nil && !replacing { throw StoreError.alreadyExists(row.objectID) }
    let mark = writes
    if !entity.reals.isEmpty { try row.checkNumbers() }
    entity.checkOrder(ofInserted: row)
    // Both run code of the app's, which must not write and can.
    if writes != mark {
      entry = try self.entry(in: table, id: id)
      if entry.new != nil && !replacing { throw StoreError.alreadyExists(row.objectID) }
    }
    set(id, entry, to: row, in: table)
  }

  /// Puts `row` in the place of the object with its id.
  func update(_ row: EntityRow) throws {
    let id = row.id
    let table = try table(of: row.entity)
    try row.checkNumbers()
    row.entity.checkOrder(ofUpdated: row)
    let entry = try entry(in: table, id: id)
    guard entry.new != nil else { throw StoreError.notFound(row.objectID) }
    set(id, entry, to: row, in: table)
  }

  /// Begins to change an object: what is written until `finish` or `abort` belongs to it.
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

  /// Gives the object of an update its new values.
  func finish(_ update: DraftUpdate, with changed: EntityRow) throws {
    let id = update.id
    guard changed.hasID(id) else {
      throw StoreError.idChanged(update.row.objectID, to: changed.objectID)
    }
    if !changed.entity.reals.isEmpty { try changed.checkNumbers() }
    changed.entity.checkOrder(ofUpdated: changed)
    var entry = update.entry
    // Looked up again if something was written meanwhile, which may have been the object.
    if writes != update.writes { entry = try self.entry(in: update.table, id: id) }
    guard entry.new != nil else { throw StoreError.notFound(changed.objectID) }
    // What goes may write to the object, too, so it goes when that has its new values.
    let gone = leaveSavepoint()
    set(id, entry, to: changed, in: update.table)
    withExtendedLifetime(gone) {}
  }

  /// Undoes what was written since an update began.
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

  private func set(_ id: StoredValue, _ entry: Entry, to row: EntityRow?, in table: TableDraft) {
    writes += 1
    let change = ObjectChange(id: id, old: entry.old, new: row)
    if entry.isWritten { table.set(change) } else { table.add(change) }
    guard savepoints > 0 else { return }
    // Before its first write an object was as before the commit.
    journal.append((table, ObjectChange(id: id, old: entry.old, new: entry.new)))
  }

  // MARK: Savepoints

  /// Runs `body`; if it throws, only its writes are undone.
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

  /// What is returned goes when the caller lets go of it; it may write then.
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
    // A row that goes may write, so what is undone goes when all is as it was.
    let replaced = Array(journal[mark...])
    journal.removeSubrange(mark...)
    var undone: [ObjectChange?] = []
    for write in replaced.reversed() { undone.append(write.table.set(write.change)) }
    withExtendedLifetime((replaced, undone)) {}
  }

  /// The changes that are any: insert and delete is nothing, an equal value is nothing.
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
