extension FetchPlan {
  /// `rows` in the plan's order and within its limit, for storages whose language can't say it.
  ///
  /// - Complexity: O(*n* log *n*) where *n* is the number of rows.
  public func sorted(_ rows: [FetchedRow], reading reader: any StorageReader) throws
    -> [FetchedRow]
  {
    var sorting = Sorting(CompiledPlan(self))
    for row in rows { try sorting.add(row.row, reading: reader) }
    sorting.sort()
    return sorting.items[positions(of: rows.count)].map { rows[Int($0.place)] }
  }

  /// The rows of the plan for objects that belong, in its order and with its values.
  func fetched(
    _ sorting: inout Sorting, _ compiled: CompiledPlan, reading reader: any StorageReader
  ) throws -> [FetchedRow] {
    sorting.sort()
    return try sorting.items[positions(of: sorting.items.count)].map { item in
      let row = sorting.row(item)
      return FetchedRow(
        row: row,
        values: try compiled.values.map { try $0.uncheckedValue(of: row, reading: reader) })
    }
  }
}
