/// The rows that a request asks for, in its order, for who takes them all at once.
package struct SortedRows {
  /// What the rows are.
  package let entity: EntityDescription
  /// The key that prefixes are of.
  package let firstKey: SortKey?
  private let sorting: Sorting

  /// - Precondition: the items are sorted, and the request has no limit.
  init(_ entity: EntityDescription, _ sorting: Sorting, by firstKey: SortKey?) {
    self.entity = entity
    self.sorting = sorting
    self.firstKey = firstKey
  }

  /// How many there are.
  package var count: Int { sorting.items.count }

  /// The number of the first key by which the row at a rank was sorted.
  package func prefix(_ rank: Int) -> UInt64 { sorting.items[rank].prefix }

  /// Which of the rows that were found stands at a rank.
  func place(_ rank: Int) -> Int { Int(sorting.items[rank].place) }

  /// Retains all rows, calling `visit` with each object as they were found.
  ///
  /// Whoever calls it takes the row at each rank once.
  func retainAll(_ visit: (UnsafeRawPointer) -> Void) { sorting.retainAll(visit) }

  /// The row at a rank.
  func box(_ rank: Int) -> Unmanaged<RowBox> { sorting.boxes[place(rank)] }
}

extension StorageReader {
  /// The rows of a request without limit and values, or nil from a storage that keeps them elsewhere.
  package func sortedRows(_ plan: FetchPlan) throws -> SortedRows? {
    guard plan.limit == nil, plan.offset == 0, plan.values.isEmpty else { return nil }
    return try (self as? MemoryReader)?.sorted(plan)
  }
}
