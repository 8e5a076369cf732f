/// Putting rows in a query's order.
///
/// What is sorted are numbers: the first eight bytes of the first key, in an order-preserving form,
/// and the row's place. Only where those are equal are the keys themselves compared, so most
/// comparisons touch no object. Keys that the object alone gives are read when they are needed; the
/// others are read once for each row.
struct Sorting {
  private struct Item {
    let prefix: UInt64
    let place: Int
  }

  /// One key: read from the object when needed, or kept for each row.
  private enum Key {
    case own((UnsafeRawPointer) -> StoredValue)
    case kept(ContiguousArray<StoredValue>)
  }

  private let order: [SortKey]
  private let forms: [CompiledExpression]
  private let prefix: (UnsafeRawPointer) -> UInt64?
  private var keys: [Key]
  private(set) var rows: ContiguousArray<EntityRow> = []
  private var items: ContiguousArray<Item> = []

  init(_ plan: CompiledPlan) {
    order = plan.order
    forms = plan.keys
    keys = plan.keys.map { form in
      if case .own(let read) = form.read { .own(read) } else { .kept([]) }
    }
    prefix = order.first?.prefixReader(of: plan.entity) ?? { _ in nil }
  }

  /// Adds the next row.
  mutating func add(_ row: EntityRow, reading reader: any StorageReader) throws {
    var first: StoredValue?
    for index in keys.indices {
      guard case .kept(var values) = keys[index] else { continue }
      keys[index] = .kept([])
      let value = try forms[index].value(of: row, reading: reader)
      if index == 0 { first = value }
      values.append(value)
      keys[index] = .kept(values)
    }
    let prefix = prefix(row.box.object) ?? firstPrefix(first, row)
    items.append(Item(prefix: prefix, place: items.count))
    rows.append(row)
  }

  private func firstPrefix(_ value: StoredValue?, _ row: EntityRow) -> UInt64 {
    guard let key = order.first else { return 0 }
    if let value { return key.prefix(of: value) }
    guard case .own(let read) = keys[0] else { return 0 }
    return key.prefix(of: read(row.box.object))
  }

  /// The places of the rows, in the order in which they were added, sorted by their keys.
  ///
  /// - Complexity: O(*n* log *n*) where *n* is the number of rows.
  mutating func places() -> [Int] {
    let order = order
    let keys = keys
    let rows = rows
    func precedes(_ a: Item, _ b: Item) -> Bool {
      for index in keys.indices {
        let comparison: Int
        switch keys[index] {
        case .own(let read):
          comparison = order[index].compare(
            read(rows[a.place].box.object), read(rows[b.place].box.object))
        case .kept(let values):
          comparison = order[index].compare(values[a.place], values[b.place])
        }
        if comparison != 0 { return comparison < 0 }
      }
      return false
    }
    if items.count < Self.fewest {
      items.sort { a, b in a.prefix == b.prefix ? precedes(a, b) : a.prefix < b.prefix }
    } else {
      sortByPrefix()
      // What the prefix leaves together is put in order stretch by stretch.
      var start = 0
      while start < items.count {
        var end = start + 1
        while end < items.count && items[end].prefix == items[start].prefix { end += 1 }
        if end - start > 1 { items[start..<end].sort(by: precedes) }
        start = end
      }
    }
    return items.map(\.place)
  }

  /// As many items or more are sorted digit by digit.
  private static let fewest = 256

  /// Sorts by the prefix alone.
  ///
  /// By each of its eight bytes, the lowest first, in one pass that keeps the order of equal ones. A
  /// byte that is the same in all is passed over.
  ///
  /// - Complexity: O(*n*)
  private mutating func sortByPrefix() {
    var counts = [Int](repeating: 0, count: 8 * 256)
    for item in items {
      for byte in 0..<8 { counts[byte << 8 | Int(item.prefix >> (8 * UInt64(byte)) & 255)] += 1 }
    }
    var other = items
    for byte in 0..<8 {
      let shift = 8 * UInt64(byte)
      if counts[byte << 8 | Int(items[0].prefix >> shift & 255)] == items.count { continue }
      var starts = [Int](repeating: 0, count: 256)
      for digit in 1..<256 { starts[digit] = starts[digit - 1] + counts[byte << 8 | digit - 1] }
      for item in items {
        let digit = Int(item.prefix >> shift & 255)
        other[starts[digit]] = item
        starts[digit] += 1
      }
      swap(&items, &other)
    }
  }
}
