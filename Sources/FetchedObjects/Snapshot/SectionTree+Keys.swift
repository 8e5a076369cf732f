internal import EntityStore

extension SectionTree {
  /// Returns the position of the section with this key's order, or the position where it would be.
  ///
  /// - Complexity: O(log *n*)
  func position(of key: SectionKey, in plan: ResultPlan) -> Int {
    partitioningIndex { plan.compare($0.key, key) >= 0 }
  }

  /// Returns the position of the section with a key, or nil if the tree doesn't contain it.
  func section(_ key: SectionKey, in plan: ResultPlan) -> Int? {
    guard key.order.count == plan.sectionOrder.count else { return nil }
    let position = position(of: key, in: plan)
    guard position < count, self[position].key.identity == key.identity,
      plan.compare(self[position].key, key) == 0
    else { return nil }
    return position
  }
}
