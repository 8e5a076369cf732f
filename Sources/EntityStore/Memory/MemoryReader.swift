/// A reader of one version in memory.
///
/// Only one thread uses it, and no access lasts while other code runs. So exclusivity isn't checked
/// on each access.
class MemoryReader: RowNumberReader {
  @exclusivity(unchecked) var memory: MemoryVersion
  let storage: InMemoryStorage
  /// The changes of a transaction that aren't applied yet; nil in other readers.
  @exclusivity(unchecked) final var waiting: NetChanges?
  @exclusivity(unchecked) private var time = ReadingTime()

  init(_ memory: MemoryVersion, in storage: InMemoryStorage) {
    self.memory = memory
    self.storage = storage
  }

  deinit {
    // A commit that changed the last version itself has released its copy already.
    if !memory.isEmpty { storage.passLock() }
  }

  /// Runs `body` with a reader that can't be used afterwards.
  static func read<Result>(
    _ memory: MemoryVersion, in storage: InMemoryStorage,
    _ body: (any StorageReader) throws -> Result
  ) rethrows -> Result {
    let reader = MemoryReader(memory, in: storage)
    defer { reader.time.end() }
    return try body(reader)
  }

  var version: Int64 {
    time.check()
    return memory.number
  }

  var rowNumberReader: (any RowNumberReader)? { self }

  /// Traps if the reader can't be used any more, and applies the changes that wait.
  ///
  /// All code that reads `memory` calls it first.
  @inline(__always) final func beginRead() {
    time.check()
    if waiting != nil { applyWaiting() }
  }

  func applyWaiting() {}

  func row(of entity: EntityDescription, id: StoredValue) throws -> EntityRow? {
    beginRead()
    return try memory.row(of: entity, id: id)
  }

  func ids(of entity: EntityDescription, where columns: [Int], equal values: [StoredValue]) throws
    -> [StoredValue]
  {
    beginRead()
    let table = try memory.table(of: entity)
    if columns == [entity.identity] { return table.rows.slot(of: values[0]) == nil ? [] : values }
    var ids: [StoredValue] = []
    if let index = table.index(of: columns), !values[0].isNull {
      index.forEachSlot(index.ranks(equal: values, table.rows)) { ids.append(table.rows.id($0)) }
    } else {
      table.rows.forEach { slot, row, _ in
        let isFound = row._withUnsafeGuaranteedRef {
          EntityRow($0).values(at: columns) == values
        }
        if isFound { ids.append(table.rows.id(slot)) }
      }
    }
    return ids
  }

  /// Returns the reader with which a plan's expressions are evaluated.
  private func reader(for compiled: CompiledPlan) -> any StorageReader {
    remembering(compiled.shared) ?? self
  }

  func fetch(_ plan: FetchPlan) throws -> [FetchedRow] {
    let compiled = CompiledPlan(plan)
    let reader = reader(for: compiled)
    var sorting = try found(plan, compiled, first: plan.end, reading: reader)
    return try plan.fetched(&sorting, compiled, reading: reader)
  }

  func rows(_ plan: FetchPlan) throws -> [EntityRow] {
    let compiled = CompiledPlan(plan)
    var sorting = try found(plan, compiled, first: plan.end, reading: reader(for: compiled))
    sorting.sort()
    return sorting.rows(plan.positions(of: sorting.items.count))
  }

  func forEachValues(_ plan: FetchPlan, _ body: ([StoredValue]) throws -> Void) throws {
    let compiled = CompiledPlan(plan)
    let reader = reader(for: compiled)
    guard plan.order.isEmpty, plan.limit == nil, plan.offset == 0 else {
      for row in try fetch(plan) { try body(row.values) }
      return
    }
    beginRead()
    let table = try memory.table(of: plan.entity)
    try forEachRow(
      of: plan.entity, in: table, where: plan.filter, compiled.filter, reading: reader
    ) { row, object in
      try body(compiled.values.map { try $0.read(row, object, reading: reader) })
    }
  }

  /// Returns the rows of a plan, sorted; a limit isn't applied.
  func sorted(_ plan: FetchPlan) throws -> Sorting {
    let compiled = CompiledPlan(plan)
    var sorting = try found(plan, compiled, reading: reader(for: compiled))
    sorting.sort()
    return sorting
  }

  /// Returns the rows of a plan, of which the first `wanted` in the order are asked for.
  private func found(
    _ plan: FetchPlan, _ compiled: CompiledPlan, first wanted: Int? = nil,
    reading reader: any StorageReader
  ) throws -> Sorting {
    beginRead()
    let table = try memory.table(of: plan.entity)
    if let wanted, wanted < table.rows.count / 16 {
      var sorting = Sorting(compiled, of: table.rows, first: wanted)
      if try addFirst(wanted, of: plan, compiled, in: table, to: &sorting, reading: reader) {
        return sorting
      }
    }
    var sorting = Sorting(compiled, of: table.rows, first: wanted)
    try forEachRow(
      of: plan.entity, in: table, where: plan.filter, compiled.filter, reading: reader
    ) { try sorting.add($0, $1, reading: reader) }
    return sorting
  }

  func count(_ entity: EntityDescription, where filter: QueryExpression?) throws -> Int {
    beginRead()
    guard let filter else { return try memory.table(of: entity).rows.count }
    var count = 0
    let table = try memory.table(of: entity)
    let compiled = CompiledExpression(filter, of: entity)
    let memo = remembering(compiled.readsOthers ? SharedReads(of: [filter]) : .nothing)
    try forEachRow(of: entity, in: table, where: filter, compiled, reading: memo ?? self) { _, _ in
      count += 1
    }
    return count
  }

  func wordCount(of entity: EntityDescription) throws -> Int? {
    beginRead()
    return try memory.table(of: entity).words?.wordCount
  }

  /// Returns the rows with values of an attribute within bounds, or nil if the attribute has no
  /// index.
  ///
  /// These are at most `limit` rows, those with the least values.
  ///
  /// - Throws: ``StoreError/unknownEntity(_:)``.
  /// - Complexity: O(log *n* + *m*) for *m* rows.
  func rowsByIndex(
    of column: Int, in entity: EntityDescription, within bounds: ValueBounds, limit: Int
  ) throws -> [EntityRow]? {
    beginRead()
    let table = try memory.table(of: entity)
    guard let index = table.index(of: [column]) else { return nil }
    var rows: [EntityRow] = []
    index.forEachSlot(index.ranks(equal: [], within: bounds, table.rows).prefix(limit)) {
      if let row = table.rows[$0] { rows.append(row) }
    }
    return rows
  }

  func rowNumber(of entity: EntityDescription, id: StoredValue) throws -> Int64? {
    beginRead()
    return try memory.table(of: entity).rows.slot(of: id).map(Int64.init)
  }

  func rows(of entity: EntityDescription, numbered numbers: [Int64]) throws -> [EntityRow?] {
    beginRead()
    let table = try memory.table(of: entity)
    return numbers.map { $0 < 0 ? nil : table.rows[Int($0)] }
  }

  func forEachRowNumber(
    _ plan: FetchPlan, _ body: (_ number: Int64, _ values: [StoredValue]) throws -> Void
  ) throws {
    let compiled = CompiledPlan(plan)
    let reader = reader(for: compiled)
    var sorting = try found(plan, compiled, reading: reader)
    // This comes after the search, which applies the changes that wait.
    let table = try memory.table(of: plan.entity)
    sorting.sort()
    for item in sorting.items {
      let row = sorting.row(item)
      guard let slot = table.rows.slot(of: row.id) else { continue }
      try body(
        Int64(slot), compiled.values.map { try $0.uncheckedValue(of: row, reading: reader) })
    }
  }

  /// Visits the rows that meet a condition, by an index if the condition allows it.
  ///
  /// The table holds the rows. None of them is retained.
  private func forEachRow(
    of entity: EntityDescription, in table: MemoryTable, where filter: QueryExpression?,
    _ compiled: CompiledExpression?, reading reader: any StorageReader,
    _ body: (Unmanaged<RowBox>, UnsafeRawPointer) throws -> Void
  ) throws {
    guard let filter, let compiled else {
      return try table.rows.forEach { _, row, object in try body(row, object) }
    }
    func look(_ slot: Int) throws {
      guard let row = table.rows[slot] else { return }
      if try compiled.isTrueUnchecked(of: row, reading: reader) {
        try body(Unmanaged.passUnretained(row.box), row.box.object)
      }
    }
    switch table.access(for: filter, of: entity) {
    case .slot(let slot): if let slot { try look(slot) }
    case .listed(let slots): try slots.forEach(look)
    case .ranks(let index, let ranges):
      for range in ranges { try index.forEachSlot(range, look) }
    case .slots(let slots): try slots.forEach(look)
    case .all:
      if case .own(let test) = compiled.test {
        try Self.forEachRow(of: table.rows, where: test, body)
      } else {
        try table.rows.forEach { _, row, object in
          let held = EntityRow(row.takeUnretainedValue())
          if try compiled.isTrueUnchecked(of: held, reading: reader) { try body(row, object) }
        }
      }
    }
  }

  /// Visits the rows that pass a test.
  ///
  /// It isn't inlined, so that the test is a closure that doesn't escape. An escaping closure would
  /// be retained for each row.
  @inline(never)
  private static func forEachRow(
    of rows: RowTable, where test: (UnsafeRawPointer) -> Bool,
    _ body: (Unmanaged<RowBox>, UnsafeRawPointer) throws -> Void
  ) rethrows {
    try rows.forEach { _, row, object in
      if test(object) { try body(row, object) }
    }
  }
}
