/// Putting rows in a query's order.
///
/// What is sorted are numbers: the first eight bytes of the first key, in an order-preserving form,
/// and the row's place. Only where those are equal are the keys themselves compared, so most
/// comparisons touch no object. Keys that the object alone gives are read when they are needed; the
/// others are read once for each row.
struct Sorting {
  /// A row: the number it is sorted by, and which of those that were added it is.
  struct Item {
    let prefix: UInt64
    let place: UInt32
  }

  /// One key: read from the object when needed, or kept for each row.
  private enum Key {
    case own((UnsafeRawPointer) -> StoredValue)
    case kept(ContiguousArray<StoredValue>)
  }

  private let order: [SortKey]
  private let forms: [CompiledExpression]
  /// Reads the prefix of the first key, if the object alone gives it.
  private let prefix: ((UnsafeRawPointer) -> UInt64)?
  private var keys: [Key]
  /// Whether all keys are read from the object.
  private let areOwn: Bool
  /// The first key that two rows with the same prefix may differ in.
  private let firstTied: Int
  /// The rows as they were added; somebody holds them.
  private(set) var boxes: ContiguousArray<Unmanaged<RowBox>> = []
  private(set) var items: ContiguousArray<Item> = []
  /// Who holds the rows: the table that they are in, or each alone.
  private let table: Any?
  private var held: ContiguousArray<EntityRow> = []

  /// An order of no rows; those that come from `table` are held by it.
  init(_ plan: CompiledPlan, of table: Any? = nil) {
    self.table = table
    order = plan.order
    forms = plan.keys
    keys = plan.keys.map { form in
      if case .own(let read) = form.read { .own(read) } else { .kept([]) }
    }
    areOwn = !keys.contains { if case .kept = $0 { true } else { false } }
    prefix =
      forms.isEmpty ? nil : order[0].prefixReader(of: plan.entity, forms[0])
    firstTied = order.first?.exactPrefixReader(of: plan.entity) == nil ? 0 : 1
  }

  /// Adds the next row, and holds it.
  mutating func add(_ row: EntityRow, reading reader: any StorageReader) throws {
    held.append(row)
    try add(Unmanaged.passUnretained(row.box), row.box.object, reading: reader)
  }

  /// Adds the next row of the table.
  @inline(__always)
  mutating func add(
    _ box: Unmanaged<RowBox>, _ object: UnsafeRawPointer, reading reader: any StorageReader
  ) throws {
    let first = areOwn ? nil : try keep(box, reading: reader)
    let prefix = first ?? prefix?(object) ?? 0
    items.append(Item(prefix: prefix, place: UInt32(items.count)))
    boxes.append(box)
  }

  /// Keeps what the object alone doesn't give, and gives the prefix if that is of it.
  private mutating func keep(
    _ box: Unmanaged<RowBox>, reading reader: any StorageReader
  ) throws -> UInt64? {
    let row = EntityRow(box.takeUnretainedValue())
    var prefix: UInt64?
    for index in keys.indices {
      guard case .kept(var values) = keys[index] else { continue }
      keys[index] = .kept([])
      let value = try forms[index].uncheckedValue(of: row, reading: reader)
      if index == 0 { prefix = order[0].prefix(of: value) }
      values.append(value)
      keys[index] = .kept(values)
    }
    return prefix
  }

  /// Puts the items in order.
  ///
  /// - Complexity: O(*n* log *n*) where *n* is the number of rows.
  mutating func sort() {
    if order.isEmpty { return }
    let (order, keys, boxes, firstTied) = (order, keys, boxes, firstTied)
    func precedes(_ a: Item, _ b: Item) -> Bool {
      for index in firstTied..<keys.count {
        let comparison: Int
        switch keys[index] {
        case .own(let read):
          comparison = order[index].compare(
            read(Self.object(boxes[Int(a.place)])), read(Self.object(boxes[Int(b.place)])))
        case .kept(let values):
          comparison = order[index].compare(values[Int(a.place)], values[Int(b.place)])
        }
        if comparison != 0 { return comparison < 0 }
      }
      return false
    }
    withExtendedLifetime((table, held)) {
      if items.count < PrefixSorting.fewest {
        items.sort { a, b in a.prefix == b.prefix ? precedes(a, b) : a.prefix < b.prefix }
      } else {
        PrefixSorting.sort(&items)
        // What the prefix leaves together is put in order stretch by stretch.
        var start = 0
        while start < items.count {
          var end = start + 1
          while end < items.count && items[end].prefix == items[start].prefix { end += 1 }
          if end - start > 1 { items[start..<end].sort(by: precedes) }
          start = end
        }
      }
    }
  }

  // MARK: The rows in order

  @inline(__always)
  private static func object(_ box: Unmanaged<RowBox>) -> UnsafeRawPointer {
    box._withUnsafeGuaranteedRef { $0.object }
  }

  /// The row of an item.
  func row(_ item: Item) -> EntityRow {
    withExtendedLifetime((table, held)) {
      EntityRow(boxes[Int(item.place)].takeUnretainedValue())
    }
  }

  /// The rows of the items at some positions.
  func rows(_ range: Range<Int>) -> [EntityRow] {
    guard range.count == items.count else { return items[range].map(row) }
    retainAll()
    return items.map { EntityRow(boxes[Int($0.place)].takeRetainedValue()) }
  }

  /// Retains all rows in the order in which they were added, in which they are likely to stand in memory,
  /// and calls `visit` with their objects.
  ///
  /// Whoever calls it takes each of `boxes` once.
  func retainAll(_ visit: (UnsafeRawPointer) -> Void = { _ in }) {
    withExtendedLifetime((table, held)) {
      for box in boxes {
        _ = box.retain()
        visit(Self.object(box))
      }
    }
  }
}
