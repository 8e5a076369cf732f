extension MemoryTable {
  /// A way to reach the rows that meet a condition.
  enum Access {
    /// The row with an id, or nil if there is none.
    case slot(Int?)
    case ranks(OrderedIndex, [Range<Int>])
    /// Slots that the index of words gives.
    case slots(SlotSet)
    /// All rows, one after another.
    case all
  }

  /// Returns the shortest way to all rows that may meet a condition.
  func access(for filter: QueryExpression, of entity: EntityDescription) -> Access {
    if let key = entity.lookup(filter) {
      if key.columns == [entity.identity] { return .slot(rows.slot(of: key.values[0])) }
      if let index = index(of: key.columns) {
        return .ranks(index, [index.ranks(equal: key.values, rows)])
      }
    }
    var best: (index: OrderedIndex, ranges: [Range<Int>])?
    // If an index gives more than this part of the rows, visiting all rows is faster.
    var most = rows.count / 8
    func consider(_ index: OrderedIndex, _ ranges: [Range<Int>]) {
      let count = ranges.reduce(0) { $0 + $1.count }
      guard count <= most else { return }
      most = count
      best = (index, ranges)
    }
    for (column, bounds) in filter.bounds {
      guard let index = index(of: [column]), entity.hasBounds(bounds, of: column) else { continue }
      consider(index, [index.ranks(in: bounds, rows)])
    }
    for (column, values) in filter.lists where values.count <= 1000 {
      guard let index = index(of: [column]) else { continue }
      consider(index, Set(values).map { index.ranks(equal: [$0], rows) })
    }
    if let words {
      // To look for words in a text costs more than to visit a row. So their index is used however
      // many rows it gives.
      let counted = filter.searches.compactMap { node in words.count(node).map { (node, $0) } }
      let limit = best == nil ? Int.max : most
      if let (node, count) = counted.min(by: { $0.1 < $1.1 }), count <= limit {
        return .slots(words.slots(node))
      }
    }
    return best.map { .ranks($0.index, $0.ranges) } ?? .all
  }
}

extension EntityDescription {
  /// Returns true if bounds are of a column's type, so that an index is in their order.
  func hasBounds(_ bounds: ValueBounds, of column: Int) -> Bool {
    [bounds.lower, bounds.upper].allSatisfy { $0?.value.isOf(columns[column].type) ?? true }
  }
}
