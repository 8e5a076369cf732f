@_spi(Storage) extension FetchPlan {
  /// Returns `rows` in the plan's order and within its limit.
  ///
  /// It is for storages whose language can't express the order.
  ///
  /// - Throws: the reader's error.
  /// - Complexity: O(*n* log *n*) where *n* is the number of rows.
  public func sorted(_ rows: [FetchedRow], reading reader: any StorageReader) throws
    -> [FetchedRow]
  {
    var sorting = Sorting(CompiledPlan(self))
    let keys = order.map(\.expression)
    try reader.evaluate(keys, sharing: SharedReads(of: keys), for: rows, of: \.row) {
      try sorting.add($0.row, reading: $1)
    }
    sorting.sort()
    return sorting.items[positions(of: rows.count)].map { rows[Int($0.place)] }
  }

  /// Returns the plan's rows for the objects that belong to it, in its order and with its values.
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
