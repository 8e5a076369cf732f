/// A sort that puts rows in a query's order.
///
/// It sorts numbers: the first eight bytes of the first key, in a form that keeps the order, and
/// the row's position. The keys themselves are compared only if these bytes are equal, so most
/// comparisons touch no object. Keys that the object alone determines are read when they are
/// needed. The others are read once for each row.
package struct Sorting {
  /// A row: the number by which it is sorted, and its position among the rows that were added.
  struct Item {
    let prefix: UInt64
    let place: UInt32
  }

  /// One key: it is read from the object when needed, or kept for each row.
  private enum Key {
    case own((UnsafeRawPointer) -> StoredValue)
    case kept(ContiguousArray<StoredValue>)
  }

  package let entity: EntityDescription
  private let order: [SortKey]
  private let forms: [CompiledExpression]
  /// The function that reads the prefix of the first key, if the object alone determines it.
  private let readPrefix: ((UnsafeRawPointer) -> UInt64)?
  private var keys: [Key]
  /// True if all keys are read from the object.
  private let areOwn: Bool
  /// The first key in which two rows with the same prefix may differ.
  private let firstTied: Int
  /// The rows as they were added, which `table` or `held` keeps alive.
  private(set) var boxes: ContiguousArray<Unmanaged<RowBox>> = []
  private(set) var items: ContiguousArray<Item> = []
  /// The table that holds the rows, or nil if each is held alone.
  private let table: Any?
  private var held: ContiguousArray<EntityRow> = []
  /// The number of rows that are wanted, and the number at which the others are dropped.
  private let wanted: Int
  private var room = Int.max
  /// The greatest prefix of a row that may be wanted.
  private var greatest = UInt64.max

  /// Creates a sort without rows; `table` holds the rows that come from it.
  ///
  /// Only the first `wanted` rows in the order are asked for, or all if it is nil. Others may be
  /// dropped.
  init(_ plan: CompiledPlan, of table: Any? = nil, first wanted: Int? = nil) {
    self.table = table
    self.wanted = max(1, wanted ?? 0)
    entity = plan.entity
    order = plan.order
    forms = plan.keys
    keys = plan.keys.map { form in
      if case .own(let read) = form.read { .own(read) } else { .kept([]) }
    }
    areOwn = !keys.contains { if case .kept = $0 { true } else { false } }
    readPrefix =
      forms.isEmpty ? nil : order[0].prefixReader(of: plan.entity, forms[0])
    firstTied = order.first?.exactPrefixReader(of: plan.entity) == nil ? 0 : 1
    if let wanted, wanted < Int.max / 4, readPrefix != nil, areOwn, table != nil {
      room = 2 * max(64, wanted)
    }
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
    let prefix = first ?? readPrefix?(object) ?? 0
    if prefix > greatest { return }
    items.append(Item(prefix: prefix, place: UInt32(items.count)))
    boxes.append(box)
    if items.count >= room { dropRest() }
  }

  /// Drops the rows that come after the first `wanted` ones, whatever is added later.
  ///
  /// - Complexity: O(*m* log *m*) for *m* items, of which it keeps at most half, unless many have
  ///   the same prefix.
  private mutating func dropRest() {
    greatest = items.map(\.prefix).sorted()[wanted - 1]
    var kept: ContiguousArray<Item> = []
    var keptBoxes: ContiguousArray<Unmanaged<RowBox>> = []
    for item in items where item.prefix <= greatest {
      kept.append(Item(prefix: item.prefix, place: UInt32(kept.count)))
      keptBoxes.append(boxes[Int(item.place)])
    }
    (items, boxes) = (kept, keptBoxes)
    room = max(room, 2 * kept.count)
  }

  /// Keeps the keys that the object alone doesn't determine.
  ///
  /// It returns the prefix if the first key is one of them.
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
        // Items with the same prefix are sorted run by run.
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

  package var count: Int { items.count }

  /// The key whose values the prefixes represent.
  package var firstKey: SortKey? { order.first }

  /// Returns the prefix by which the row at a rank was sorted: a number for its first key.
  package func prefix(_ rank: Int) -> UInt64 { items[rank].prefix }

  /// Returns the position, among the rows as they were added, of the row at a rank.
  func place(_ rank: Int) -> Int { Int(items[rank].place) }

  func box(_ rank: Int) -> Unmanaged<RowBox> { boxes[place(rank)] }

  @inline(__always)
  private static func object(_ box: Unmanaged<RowBox>) -> UnsafeRawPointer {
    box._withUnsafeGuaranteedRef { $0.object }
  }

  func row(_ item: Item) -> EntityRow {
    withExtendedLifetime((table, held)) {
      EntityRow(boxes[Int(item.place)].takeUnretainedValue())
    }
  }

  func rows(_ range: Range<Int>) -> [EntityRow] {
    guard range.count == items.count else { return items[range].map(row) }
    retainAll()
    return items.map { EntityRow(boxes[Int($0.place)].takeRetainedValue()) }
  }

  /// Retains all rows and calls `visit` with their objects.
  ///
  /// It uses the order in which the rows were added, since they are likely to be in memory in this
  /// order. The caller has to take each of `boxes` once.
  func retainAll(_ visit: (UnsafeRawPointer) -> Void = { _ in }) {
    withExtendedLifetime((table, held)) {
      for box in boxes {
        _ = box.retain()
        visit(Self.object(box))
      }
    }
  }
}
