extension Sorting {
  /// Reads and sorts the rows of a plan without limit and values; it is nil if the plan has more or
  /// the reader is of another storage than memory.
  ///
  /// Memory has the rows at hand, so a result can take them as they are, without a copy of each.
  package init?(_ plan: FetchPlan, from reader: any StorageReader) throws {
    guard plan.limit == nil, plan.offset == 0, plan.values.isEmpty,
      let rows = try (reader as? MemoryReader)?.sorted(plan)
    else { return nil }
    self = rows
  }
}
