/// Putting rows in a query's order.
enum Sorting {
  /// A row with the values of its keys, evaluated once.
  struct Candidate {
    let row: EntityRow
    let keys: [StoredValue]
  }

  static func keys(of row: EntityRow, _ order: [SortKey], reading reader: any StorageReader) throws
    -> [StoredValue]
  {
    try order.map { try $0.expression.evaluate(row, reading: reader) }
  }

  /// The rows in order.
  ///
  /// - Complexity: O(*n* log *n*) where *n* is the number of candidates.
  static func sorted(_ candidates: [Candidate], by order: [SortKey]) -> [EntityRow] {
    candidates.sorted { precedes($0.keys, $1.keys, in: order) }.map(\.row)
  }

  static func precedes(_ a: [StoredValue], _ b: [StoredValue], in order: [SortKey]) -> Bool {
    for index in order.indices {
      let comparison = order[index].compare(a[index], b[index])
      if comparison != 0 { return comparison < 0 }
    }
    return false
  }
}

extension FetchPlan {
  /// `rows` in the plan's order, for storages whose language can't say it.
  ///
  /// - Complexity: O(*n* log *n*) where *n* is the number of rows.
  public func sorted(_ rows: [FetchedRow], reading reader: any StorageReader) throws
    -> [FetchedRow]
  {
    let keyed = try rows.map { row in
      (row: row, keys: try Sorting.keys(of: row.row, order, reading: reader))
    }
    return keyed.sorted { Sorting.precedes($0.keys, $1.keys, in: order) }.map(\.row)
  }
}
