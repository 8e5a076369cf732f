// The first rows of an order that an index has.
extension MemoryReader {
  /// Adds the first rows of a plan to a sort by walking along an index, if one has the order of the
  /// plan's first key.
  ///
  /// It gives up when another way is faster, because few rows meet the condition, or many have the
  /// same key.
  ///
  /// - Returns: true if the sort has all rows that are asked for.
  /// - Throws: the error of a condition.
  func addFirst(
    _ wanted: Int, of plan: FetchPlan, _ compiled: CompiledPlan, in table: MemoryTable,
    to sorting: inout Sorting, reading reader: any StorageReader
  ) throws -> Bool {
    guard let walk = table.walk(of: plan) else { return false }
    var found = 0
    var visited = 0
    // Rows with the same beginning of the key as the last one that is needed are needed, too.
    var last: UInt64?
    var isFinished = false
    var rest = walk.ranks
    while !rest.isEmpty && !isFinished {
      if visited > walk.most { return false }
      let chunk = walk.isAscending ? rest.prefix(Self.chunk) : rest.suffix(Self.chunk)
      rest = walk.isAscending ? rest.dropFirst(Self.chunk) : rest.dropLast(Self.chunk)
      visited += chunk.count
      var entries: ContiguousArray<RankEntry> = []
      walk.index.tree.forEach(in: chunk) { entries.append($0) }
      if !walk.isAscending { entries.reverse() }
      for entry in entries {
        if let last, entry.prefix != last {
          isFinished = true
          break
        }
        guard let row = table.rows[Int(entry.slot)] else { continue }
        if try !(compiled.filter?.isTrueUnchecked(of: row, reading: reader) ?? true) { continue }
        try sorting.add(Unmanaged.passUnretained(row.box), row.box.object, reading: reader)
        found += 1
        if found >= wanted { last = entry.prefix }
      }
    }
    return true
  }

  private static let chunk = 64
}

extension MemoryTable {
  /// A way along an index.
  struct Walk {
    let index: OrderedIndex
    let ranks: Range<Int>
    let isAscending: Bool
    /// The number of rows that another way to them visits, or somewhat less.
    let most: Int
  }

  /// Returns the way along an index that gives a plan's rows in the order of the first key, or nil.
  func walk(of plan: FetchPlan) -> Walk? {
    guard plan.order.first?.collation == .stored, let key = plan.order.first,
      case .attribute(let path) = key.expression, path.steps.isEmpty, path.part == nil,
      let index = index(of: [path.column])
    else { return nil }
    let bounds = plan.filter?.bounds[path.column]
    // Rows without a value aren't in the index.
    guard bounds != nil || !plan.entity.columns[path.column].isOptional else { return nil }
    var most = rows.count / 8
    if let filter = plan.filter {
      switch access(for: filter, of: plan.entity) {
      case .slot, .slots: return nil
      case .ranks(_, let ranges): most = ranges.reduce(0) { $0 + $1.count }
      case .all: break
      }
    }
    var ranks = 0..<index.tree.count
    if let bounds {
      guard plan.entity.hasBounds(bounds, of: path.column) else { return nil }
      ranks = index.ranks(in: bounds, rows)
    }
    return Walk(index: index, ranks: ranks, isAscending: key.isAscending, most: most)
  }
}
