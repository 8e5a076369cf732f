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
    let key = plan.entity.access[walk.column].read
    var found = 0
    var visited = 0
    // Rows with the same key as the last one that is needed are needed, too.
    var last: StoredValue?
    var rest = walk.ranks
    while !rest.isEmpty {
      if visited > walk.most { return false }
      let chunk = walk.isAscending ? rest.prefix(Self.chunk) : rest.suffix(Self.chunk)
      rest = walk.isAscending ? rest.dropFirst(Self.chunk) : rest.dropLast(Self.chunk)
      visited += chunk.count
      var entries: ContiguousArray<RankEntry> = []
      walk.index.tree.forEach(in: chunk) { entries.append($0) }
      if !walk.isAscending { entries.reverse() }
      for entry in entries {
        guard let row = table.rows[Int(entry.slot)] else { continue }
        if let last, key(row.box.object) != last { return true }
        if try !(compiled.filter?.isTrueUnchecked(of: row, reading: reader) ?? true) { continue }
        try sorting.add(Unmanaged.passUnretained(row.box), row.box.object, reading: reader)
        found += 1
        if found >= wanted && last == nil { last = key(row.box.object) }
      }
    }
    // The rows without a key, which come last, aren't in the index.
    return found >= wanted || !walk.leavesOutNil
  }

  private static let chunk = 64
}

extension MemoryTable {
  /// A way along an index.
  struct Walk {
    let index: OrderedIndex
    /// The column of the key by which the rows are ordered.
    let column: Int
    let ranks: Range<Int>
    let isAscending: Bool
    /// True if rows without a key, which aren't in the index, may belong to the result.
    let leavesOutNil: Bool
    /// The number of rows that another way to them visits, or somewhat less.
    var most: Int
  }

  /// Returns the way along an index that gives a plan's rows in the order of the first key, or nil.
  func walk(of plan: FetchPlan) -> Walk? {
    guard plan.order.first?.collation == .stored, let key = plan.order.first,
      case .attribute(let path) = key.expression, path.steps.isEmpty, path.part == nil
    else { return nil }
    let column = path.column
    let fixed = plan.filter?.fixedValues.filter { !$0.value.isNull } ?? [:]
    let bounds = plan.filter?.bounds[column]
    if let bounds, !plan.entity.hasBounds(bounds, of: column) { return nil }
    let mayBeNil =
      plan.entity.columns[column].isOptional && bounds == nil
      && !(plan.filter?.presentColumns.contains(column) ?? false)
    var best: Walk?
    for index in indexes {
      // The attributes before the key are the same in all rows.
      guard let place = index.columns.firstIndex(of: column) else { continue }
      let values = index.columns[..<place].compactMap { fixed[$0] }
      guard values.count == place else { continue }
      // An index has nil before all values, but no row whose first attribute is nil.
      if mayBeNil, key.nilsFirst != (key.isAscending && place > 0) { continue }
      let ranks = index.ranks(equal: values, within: bounds, rows)
      if let best, best.ranks.count <= ranks.count { continue }
      best = Walk(
        index: index, column: column, ranks: ranks, isAscending: key.isAscending,
        leavesOutNil: mayBeNil && place == 0, most: rows.visitCost / 8)
    }
    if best != nil, let filter = plan.filter {
      switch access(for: filter, of: plan.entity) {
      case .slot, .listed, .slots: return nil
      case .ranks(_, let ranges): best?.most = ranges.reduce(0) { $0 + $1.count }
      case .all: break
      }
    }
    return best
  }
}
