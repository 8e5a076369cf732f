/// What a commit has written so far, over the version it started from.
///
/// As a reader it shows the storage with the writes in place. It belongs to the one thread that
/// commits.
final class DraftCore: StorageReader {
  let base: any StorageTransaction
  private let entities: Set<EntityDescription>

  /// Whether the commit still runs.
  private(set) var isOpen = true
  private(set) var changes = NetChanges()

  /// What each write of the running savepoints replaced, newest last.
  private var journal: [(entity: EntityDescription, id: StoredValue, change: ObjectChange?)] = []
  private var savepoints = 0

  /// The written rows by the values of a key, made when first asked for and kept up to date.
  private var indexes: [IndexKey: [[StoredValue]: Set<StoredValue>]] = [:]

  private struct IndexKey: Hashable {
    let entity: EntityDescription
    let columns: [Int]
  }

  init(over base: any StorageTransaction, entities: Set<EntityDescription>) {
    self.base = base
    self.entities = entities
  }

  func close() { isOpen = false }

  // MARK: Writing

  /// The object as it is now, and the entry of its change.
  private func entry(of entity: EntityDescription, id: StoredValue) throws -> ObjectChange {
    if let change = changes.row(of: entity, id: id) { return change }
    guard entities.contains(entity) else { throw StoreError.unknownEntity(entity.name) }
    let row = try base.row(of: entity, id: id)
    return ObjectChange(id: id, old: row, new: row)
  }

  /// Inserts `row`, or sets it if `replacing` is true.
  func insert(_ row: EntityRow, replacing: Bool) throws {
    let entry = try entry(of: row.entity, id: row.id)
    if entry.new != nil && !replacing { throw StoreError.alreadyExists(row.objectID) }
    try row.checkNumbers()
    row.entity.checkOrder(of: row)
    set(ObjectChange(id: row.id, old: entry.old, new: row), of: row.entity)
  }

  /// Puts `row` in the place of the object with its id.
  func update(_ row: EntityRow) throws {
    let entry = try entry(of: row.entity, id: row.id)
    guard entry.new != nil else { throw StoreError.notFound(row.objectID) }
    try row.checkNumbers()
    set(ObjectChange(id: row.id, old: entry.old, new: row), of: row.entity)
  }

  func delete(_ entity: EntityDescription, id: StoredValue) throws {
    let entry = try entry(of: entity, id: id)
    guard entry.new != nil else {
      throw StoreError.notFound(ObjectID(entityName: entity.name, id: id))
    }
    set(ObjectChange(id: id, old: entry.old, new: nil), of: entity)
  }

  private func set(_ change: ObjectChange?, of entity: EntityDescription, id: StoredValue) {
    let old = changes.row(of: entity, id: id)
    // The keys are copied: going through the dictionary itself would hold it, and each write copy it.
    for key in Array(indexes.keys) where key.entity == entity {
      if let row = old?.new { indexes[key]?[row.values(at: key.columns)]?.remove(id) }
      if let row = change?.new {
        indexes[key]?[row.values(at: key.columns), default: []].insert(id)
      }
    }
    if savepoints > 0 { journal.append((entity, id, old)) }
    changes.tables[entity, default: TableChanges()].rows[id] = change
  }

  private func set(_ change: ObjectChange, of entity: EntityDescription) {
    set(change, of: entity, id: change.id)
  }

  // MARK: Savepoints

  /// Runs `body`; if it throws, only its writes are undone.
  func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
    let mark = journal.count
    savepoints += 1
    defer {
      savepoints -= 1
      if savepoints == 0 { journal = [] }
    }
    do {
      return try body()
    } catch {
      let undone = journal[mark...].reversed()
      journal.removeSubrange(mark...)
      let depth = savepoints
      savepoints = 0
      for write in undone { set(write.change, of: write.entity, id: write.id) }
      savepoints = depth
      throw error
    }
  }

  /// The changes that are any: insert and delete is nothing, an equal value is nothing.
  func netChanges() -> NetChanges {
    var net = NetChanges()
    for (entity, table) in changes.tables {
      let rows = table.rows.filter { !$0.value.isVoid }
      if !rows.isEmpty { net.tables[entity] = TableChanges(rows: rows) }
    }
    return net
  }

  // MARK: Reading

  var version: Int64 { base.version }

  func row(of entity: EntityDescription, id: StoredValue) throws -> EntityRow? {
    if let change = changes.row(of: entity, id: id) { return change.new }
    return try base.row(of: entity, id: id)
  }

  func ids(of entity: EntityDescription, where columns: [Int], equal values: [StoredValue]) throws
    -> [StoredValue]
  {
    if columns == [entity.identity] {
      return try row(of: entity, id: values[0]) == nil ? [] : values
    }
    let stored = try base.ids(of: entity, where: columns, equal: values)
    guard let table = changes.tables[entity] else { return stored }
    let key = IndexKey(entity: entity, columns: columns)
    if indexes[key] == nil {
      var index: [[StoredValue]: Set<StoredValue>] = [:]
      for change in table.rows.values {
        if let row = change.new { index[row.values(at: columns), default: []].insert(change.id) }
      }
      indexes[key] = index
    }
    return stored.filter { table.rows[$0] == nil } + (indexes[key]?[values] ?? [])
  }

  func fetch(_ plan: FetchPlan) throws -> [FetchedRow] {
    let stored = try base.fetch(plan)
    if changes.isEmpty { return stored }
    let written = changes.tables[plan.entity]?.rows ?? [:]
    let others = try concerned(by: plan)
    if written.isEmpty && others.isEmpty { return stored }
    var rows = stored.map(\.row).filter { written[$0.id] == nil && !others.contains($0.id) }
    for id in try candidates(of: plan, written, others) {
      guard let row = try row(of: plan.entity, id: id) else { continue }
      if let filter = plan.filter, !(try filter.evaluate(row, reading: self).isTrue) { continue }
      rows.append(row)
    }
    return try plan.fetched(rows, reading: self)
  }

  /// The objects that may belong and weren't taken from the storage.
  private func candidates(
    of plan: FetchPlan, _ written: [StoredValue: ObjectChange], _ others: Set<StoredValue>
  ) throws -> [StoredValue] {
    if let key = plan.entity.lookup(plan.filter) {
      return try ids(of: plan.entity, where: key.columns, equal: key.values)
        .filter { written[$0] != nil || others.contains($0) }
    }
    return written.keys + others.filter { written[$0] == nil }
  }

  /// The objects for which writes to others may make a difference to a plan.
  private func concerned(by plan: FetchPlan) throws -> Set<StoredValue> {
    let expressions = [plan.filter].compactMap { $0 } + plan.order.map(\.expression) + plan.values
    var ids: Set<StoredValue> = []
    for read in Set(expressions.flatMap { ForeignRead.all(in: $0) }) {
      ids.formUnion(try read.concerned(by: changes, reading: self))
    }
    return ids
  }

  func count(_ entity: EntityDescription, where filter: QueryExpression?) throws -> Int {
    if changes.isEmpty { return try base.count(entity, where: filter) }
    guard let filter else {
      // Without a condition every write counts for itself.
      let written = changes.tables[entity]?.rows.values ?? [:].values
      return try written.reduce(base.count(entity, where: nil)) { count, change in
        count + (change.new == nil ? 0 : 1) - (change.old == nil ? 0 : 1)
      }
    }
    var query = QueryDescription(entity: entity)
    query.filter = filter
    return try fetch(FetchPlan(query)).count
  }
}

extension EntityRow {
  /// The object's name.
  package var objectID: ObjectID { ObjectID(entityName: entity.name, id: id) }

  func checkNumbers() throws {
    for column in entity.reals {
      if case .real(let number) = value(at: column), number.isNaN {
        throw StoreError.notANumber(objectID, attribute: entity.columns[column].name)
      }
    }
  }
}
