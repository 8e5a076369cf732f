/// A commit in memory: a copy of the last version that is changed and then replaces it.
///
/// There is a faster way for a small commit that nobody reads before it is published. Its few
/// changes are applied to the last version itself, unless a table has to be enlarged for them.
final class MemoryTransaction: MemoryReader, StorageTransaction {
  /// The changes that aren't applied yet.
  @exclusivity(unchecked) private var waiting: NetChanges?
  /// True if changes were applied to the copy, so that slots were taken and given back.
  @exclusivity(unchecked) private var hasTakenSlots = false
  @exclusivity(unchecked) private var number: Int64

  override init(_ memory: MemoryVersion, in storage: InMemoryStorage) {
    number = memory.number
    super.init(memory, in: storage)
  }

  override var version: Int64 { number }

  private func applyWaiting() {
    guard let changes = waiting else { return }
    waiting = nil
    hasTakenSlots = true
    storage.apply(changes, to: &memory)
  }

  func apply(_ changes: NetChanges) throws {
    waiting = changes
    number += 1
    if changes.count > 100 { applyWaiting() }
  }

  func commit() throws {
    // Enlarging a table visits all rows. So it isn't done while readers wait.
    if let changes = waiting, !memory.hasRoom(for: changes) { applyWaiting() }
    guard let changes = waiting else { return storage.publish(memory) }
    // The copy is released first, so that the storage alone holds its nodes.
    memory = MemoryVersion(entities: [])
    storage.applyInPlace(changes)
  }

  func rollBack() {
    if hasTakenSlots { storage.restoreFreeSlots() }
  }

  override func row(of entity: EntityDescription, id: StoredValue) throws -> EntityRow? {
    applyWaiting()
    return try super.row(of: entity, id: id)
  }

  override func ids(
    of entity: EntityDescription, where columns: [Int], equal values: [StoredValue]
  ) throws -> [StoredValue] {
    applyWaiting()
    return try super.ids(of: entity, where: columns, equal: values)
  }

  override func fetch(_ plan: FetchPlan) throws -> [FetchedRow] {
    applyWaiting()
    return try super.fetch(plan)
  }

  override func rows(_ plan: FetchPlan) throws -> [EntityRow] {
    applyWaiting()
    return try super.rows(plan)
  }

  override func sorted(_ plan: FetchPlan) throws -> SortedRows {
    applyWaiting()
    return try super.sorted(plan)
  }

  override func count(_ entity: EntityDescription, where filter: QueryExpression?) throws -> Int {
    applyWaiting()
    return try super.count(entity, where: filter)
  }

  override func wordCount(of entity: EntityDescription) throws -> Int? {
    applyWaiting()
    return try super.wordCount(of: entity)
  }

  override func rowsByIndex(
    of column: Int, in entity: EntityDescription, within bounds: ValueBounds, limit: Int
  ) throws -> [EntityRow]? {
    applyWaiting()
    return try super.rowsByIndex(of: column, in: entity, within: bounds, limit: limit)
  }

  override func rowNumber(of entity: EntityDescription, id: StoredValue) throws -> Int64? {
    applyWaiting()
    return try super.rowNumber(of: entity, id: id)
  }

  override func rows(
    of entity: EntityDescription, numbered numbers: [Int64]
  ) throws -> [EntityRow?] {
    applyWaiting()
    return try super.rows(of: entity, numbered: numbers)
  }

  override func forEachRowNumber(
    _ plan: FetchPlan, _ body: (_ number: Int64, _ values: [StoredValue]) throws -> Void
  ) throws {
    applyWaiting()
    try super.forEachRowNumber(plan, body)
  }
}
