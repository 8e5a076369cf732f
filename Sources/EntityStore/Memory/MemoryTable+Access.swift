extension MemoryTable {
  /// A way to reach the rows that meet a condition.
  enum Access {
    /// The row with an id, or nil if there is none.
    case slot(Int?)
    /// The slots of rows with some ids.
    case listed([Int])
    case ranks(OrderedIndex, [Range<Int>])
    /// Slots that the index of words gives.
    case slots(SlotSet)
    /// All rows, one after another.
    case all

    /// The number of rows that are visited, of a table with `all` rows.
    func count(of all: Int) -> Int {
      switch self {
      case .slot(let slot): slot == nil ? 0 : 1
      case .listed(let slots): slots.count
      case .ranks(_, let ranges): ranges.reduce(0) { $0 + $1.count }
      case .slots(let slots): slots.count
      case .all: all
      }
    }
  }

  /// Returns the shortest way to all rows that may meet a condition.
  func access(for filter: QueryExpression, of entity: EntityDescription) -> Access {
    let fixed = filter.fixedValues.filter { !$0.value.isNull }
    if let id = fixed[entity.identity] { return .slot(rows.slot(of: id)) }
    let (bounds, lists) = (filter.bounds, filter.lists)
    var best = Access.all
    // Visiting all rows is faster if an index gives more than a part of them. Rows with the same
    // values lie near each other more often than others.
    let all = rows.visitCost
    var most = Swift.max(64, all / 2)
    func consider(_ access: Access) {
      let count = access.count(of: all)
      if count > most { return }
      most = count
      best = access
    }
    for index in indexes {
      let values = index.columns.prefix { fixed[$0] != nil }.compactMap { fixed[$0] }
      if values.isEmpty { continue }
      var within: ValueBounds?
      if values.count < index.columns.count {
        let next = index.columns[values.count]
        within = bounds[next].flatMap { entity.hasBounds($0, of: next) ? $0 : nil }
      }
      consider(.ranks(index, [index.ranks(equal: values, within: within, rows)]))
    }
    most = Swift.min(most, all / 8)
    for (column, bounds) in bounds {
      guard let index = index(of: [column]), entity.hasBounds(bounds, of: column) else { continue }
      consider(.ranks(index, [index.ranks(equal: [], within: bounds, rows)]))
    }
    for column in filter.presentColumns {
      // An index has the rows whose first attribute isn't nil.
      if let index = index(of: [column]) { consider(.ranks(index, [0..<index.tree.count])) }
    }
    for (column, values) in lists {
      // Each value is a look-up, which costs as much as visits of some rows.
      if column == entity.identity, values.count <= 8 + all / 4 {
        consider(.listed(Set(values).compactMap { rows.slot(of: $0) }))
      } else if values.count <= 8 + all / 32, let index = index(of: [column]) {
        consider(.ranks(index, Set(values).map { index.ranks(equal: [$0], rows) }))
      }
    }
    if let words {
      // To look for words in a text costs more than to visit a row. So their index is used however
      // many rows it gives.
      let counted = filter.searches.compactMap { node in words.count(node).map { (node, $0) } }
      let limit = if case .all = best { Int.max } else { best.count(of: all) }
      if let (node, count) = counted.min(by: { $0.1 < $1.1 }), count <= limit {
        return .slots(words.slots(node))
      }
    }
    return best
  }
}

extension EntityDescription {
  /// Returns true if bounds are of a column's type, so that an index is in their order.
  func hasBounds(_ bounds: ValueBounds, of column: Int) -> Bool {
    [bounds.lower, bounds.upper].allSatisfy { $0?.value.isOf(columns[column].type) ?? true }
  }
}
