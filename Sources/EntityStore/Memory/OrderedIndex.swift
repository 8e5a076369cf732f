/// An index of a table's slots, in the order of some attributes and then of ids.
///
/// Rows whose first attribute is nil aren't in it. A comparison reads a row only if the first eight
/// bytes of the first attribute are the same and aren't the whole value.
struct OrderedIndex: Sendable {
  let columns: [Int]
  private(set) var tree = RankTree()
  private let type: StoredType
  private let readers: Readers

  private struct Readers: @unchecked Sendable {
    // @unchecked: the closures capture constants only.
    let columns: [(UnsafeRawPointer) -> StoredValue]
    let id: (UnsafeRawPointer) -> StoredValue
    /// True if the prefix is exact, so that it decides about the attributes alone.
    let isExact: Bool

    /// Returns true if the row in a slot comes before an object with the same prefix.
    ///
    /// The order is by attributes and then by id.
    func precedes(_ slot: UInt32, _ object: UnsafeRawPointer, _ rows: RowTable) -> Bool {
      guard let other = rows.object(Int(slot)) else { return false }
      if !isExact {
        for read in columns {
          let order = read(other).compare(to: read(object))
          if order != 0 { return order < 0 }
        }
      }
      return id(other).compare(to: id(object)) < 0
    }
  }

  init(_ columns: [Int], of entity: EntityDescription) {
    self.columns = columns
    type = entity.columns[columns[0]].type
    readers = Readers(
      columns: columns.map { entity.access[$0].read }, id: entity.access[entity.identity].read,
      isExact: columns.count == 1 && (type == .integer || type == .real))
  }

  // MARK: Order

  /// Compares the row of an entry with values of the first attributes.
  ///
  /// - Returns: a negative number if the row comes before the values, 0 if it has them, and a
  ///   positive number if it comes after them.
  private func compare(
    _ entry: RankEntry, _ values: [StoredValue], _ prefix: UInt64, _ rows: RowTable
  )
    -> Int
  {
    if entry.prefix != prefix { return entry.prefix < prefix ? -1 : 1 }
    if readers.isExact { return 0 }
    guard let object = rows.object(Int(entry.slot)) else { return 0 }
    for (read, value) in zip(readers.columns, values) {
      let order = read(object).compare(to: value)
      if order != 0 { return order }
    }
    return 0
  }

  // MARK: Reading

  /// Returns the ranks of the rows with these values of the first attributes.
  ///
  /// With bounds, the attribute after these must be within them. Rows in which it is nil may be
  /// among the result.
  ///
  /// - Complexity: O(log *n*)
  func ranks(
    equal values: [StoredValue], within bounds: ValueBounds? = nil, _ rows: RowTable
  ) -> Range<Int> {
    if let first = values.first, !first.isOf(type) { return 0..<0 }
    /// Returns the first rank at which the order of a row and `values` passes a test.
    func rank(of values: [StoredValue], where test: (Int) -> Bool) -> Int {
      guard let prefix = values.first?.orderedPrefix else { return tree.count }
      return tree.partitioningIndex { test(compare($0, values, prefix, rows)) }
    }
    let lower: Int
    if let bound = bounds?.lower {
      lower = rank(of: values + [bound.value]) { bound.isIncluded ? $0 >= 0 : $0 > 0 }
    } else {
      lower = values.isEmpty ? 0 : rank(of: values) { $0 >= 0 }
    }
    let upper: Int
    if let bound = bounds?.upper {
      upper = rank(of: values + [bound.value]) { bound.isIncluded ? $0 > 0 : $0 >= 0 }
    } else {
      upper = rank(of: values) { $0 > 0 }
    }
    return lower..<Swift.max(lower, upper)
  }

  /// Calls `body` with the slots at some ranks, in order.
  func forEachSlot(_ ranks: Range<Int>, _ body: (Int) throws -> Void) rethrows {
    try tree.forEach(in: ranks) { try body(Int($0.slot)) }
  }

  // MARK: Changing

  /// Returns the entry of an object, or nil if the object doesn't belong in the index.
  private func entry(_ slot: Int, _ object: UnsafeRawPointer) -> RankEntry? {
    let first = readers.columns[0](object)
    return first.isNull ? nil : RankEntry(prefix: first.orderedPrefix, slot: UInt32(slot))
  }

  /// Removes the row in a slot, while `rows` still has the version that is in the index.
  mutating func remove(_ slot: Int, _ rows: RowTable) {
    guard let object = rows.object(slot), let entry = entry(slot, object) else { return }
    let readers = readers
    tree.remove(entry) { !readers.precedes($0, object, rows) }
  }

  mutating func insert(_ slot: Int, _ rows: RowTable) {
    guard let object = rows.object(slot), let entry = entry(slot, object) else { return }
    let readers = readers
    tree.insert(entry) { !readers.precedes($0, object, rows) }
  }

  /// Builds the index of all rows again.
  ///
  /// - Complexity: O(*n* log *n*)
  mutating func rebuild(_ rows: RowTable) {
    var entries: ContiguousArray<RankEntry> = []
    rows.forEach { slot, _, object in
      if let entry = entry(slot, object) { entries.append(entry) }
    }
    entries.sort { a, b in
      if a.prefix != b.prefix { return a.prefix < b.prefix }
      guard let object = rows.object(Int(b.slot)) else { return false }
      return readers.precedes(a.slot, object, rows)
    }
    tree = RankTree(sorted: entries)
  }
}
