@_spi(Storage) internal import EntityStore

/// A reader of an index-only result: it reads the row numbers in order, and the values that
/// sections and prefixes are made of.
struct IndexWalk {
  private let plan: ResultPlan
  private let request: FetchPlan
  /// The type of the values that prefixes are made of, or nil if it isn't known.
  private let keyType: StoredType?
  /// The rows of the current section so far.
  ///
  /// They arrive in order, so they need not be collected in an array first.
  private var rows = RankTreeBuilder()
  private var key: [StoredValue] = []
  private var title = StoredValue.null
  private var sections: [ResultSection] = []
  private var numbers = RowNumbers()
  private var free = FreeSlots()

  private init(_ plan: ResultPlan) {
    self.plan = plan
    let query = plan.query
    var values = plan.sectionOrder.map(\.expression)
    let tied = Set(values)
    switch query.sectioning {
    case nil: break
    case .key(let expression): values.append(expression)
    case .parts(_, let title, _): values.append(title)
    }
    let id = AttributePath(root: query.entity, steps: [], column: query.entity.identity)
    let first = query.orderings.first { !tied.contains($0.expression) }
    let key = first?.expression ?? .attribute(id)
    keyType = key.valueType
    values.append(key)
    request = FetchPlan(query, values: values)
  }

  /// Returns the whole result at the reader's version, and the slots that its numbers leave free.
  ///
  /// - Complexity: O(*n* log *n*) where *n* is the number of rows.
  static func fetch(
    _ plan: ResultPlan, _ reader: any StorageReader
  ) throws -> (IndexSnapshot, FreeSlots) {
    var walk = IndexWalk(plan)
    try reader.numbered().forEachRowNumber(walk.request) { walk.add($0, $1) }
    return (walk.finish(version: reader.version), walk.free)
  }

  private mutating func add(_ number: Int64, _ values: [StoredValue]) {
    let keyCount = plan.sectionOrder.count
    if keyCount > 0 {
      if rows.count > 0 && !isInSection(values) { endSection() }
      if rows.count == 0 {
        key = Array(values[..<keyCount])
        title = values[keyCount]
      }
    }
    var first = values[values.count - 1]
    // SQL gives the rows in its own order, also those with a value of another type. Each search
    // needs prefixes in that order.
    if let keyType, !first.isOf(keyType) { first = first.nearest(of: keyType) }
    rows.append(
      RankEntry(
        prefix: plan.order.prefix(first: first),
        slot: numbers.insert(number, &free)))
  }

  private func isInSection(_ values: [StoredValue]) -> Bool {
    key.indices.allSatisfy { plan.sectionOrder[$0].compare(key[$0], values[$0]) == 0 }
  }

  private mutating func endSection() {
    let key = plan.sectionOrder.isEmpty ? .only : plan.sectionKey(order: key, title: title)
    sections.append(ResultSection(key: key, rows: rows.tree()))
    rows = RankTreeBuilder()
  }

  private mutating func finish(version: Int64) -> IndexSnapshot {
    if rows.count > 0 || plan.sectionOrder.isEmpty { endSection() }
    return IndexSnapshot(
      plan, version: version, sections: SectionTree(sections), numbers: numbers)
  }
}
