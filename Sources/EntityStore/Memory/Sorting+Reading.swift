/// The rows of a request in its order, for a caller that takes all of them at once.
package struct SortedRows {
  package let entity: EntityDescription
  /// The key whose values the prefixes represent.
  package let firstKey: SortKey?
  private let sorting: Sorting

  /// - Precondition: the items are sorted, and the request has no limit.
  init(_ entity: EntityDescription, _ sorting: Sorting, by firstKey: SortKey?) {
    self.entity = entity
    self.sorting = sorting
    self.firstKey = firstKey
  }

  package var count: Int { sorting.items.count }

  /// Returns the prefix by which the row at a rank was sorted: a number for its first key.
  package func prefix(_ rank: Int) -> UInt64 { sorting.items[rank].prefix }

  /// Returns the position, among the rows as they were found, of the row at a rank.
  func place(_ rank: Int) -> Int { Int(sorting.items[rank].place) }

  /// Retains all rows, and calls `visit` with each object, in the order in which they were found.
  ///
  /// The caller takes the row at each rank once.
  func retainAll(_ visit: (UnsafeRawPointer) -> Void) { sorting.retainAll(visit) }

  func box(_ rank: Int) -> Unmanaged<RowBox> { sorting.boxes[place(rank)] }
}

extension SortedRows {
  /// The rows of a plan without limit and values, or nil if the plan has more or the reader is of
  /// another storage than memory.
  ///
  /// Memory has the rows at hand, so a result can take them as they are, without a copy of each.
  package init?(_ plan: FetchPlan, from reader: any StorageReader) throws {
    guard plan.limit == nil, plan.offset == 0, plan.values.isEmpty,
      let rows = try (reader as? MemoryReader)?.sorted(plan)
    else { return nil }
    self = rows
  }
}
