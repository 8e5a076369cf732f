internal import EntityStore

extension SectionTree {
  /// The position of the section with this key's order, or where it would be.
  ///
  /// - Complexity: O(log *n*)
  func position(of key: SectionKey, in plan: ResultPlan) -> Int {
    partitioningIndex { plan.compare($0.key, key) >= 0 }
  }

  /// The position of the section with a key, if it is here.
  func section(_ key: SectionKey, in plan: ResultPlan) -> Int? {
    guard key.order.count == plan.sectionOrder.count else { return nil }
    let position = position(of: key, in: plan)
    guard position < count, self[position].key.identity == key.identity,
      plan.compare(self[position].key, key) == 0
    else { return nil }
    return position
  }
}
