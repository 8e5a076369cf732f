internal import EntityStore
internal import ListDiffing

/// The sections of a result, in order, with their numbers of rows as weights.
///
/// The rows of each section have their own tree.
typealias SectionTree = CountedTree<ResultSection>

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

  /// Returns the path of the row at a position among all rows.
  ///
  /// - Complexity: O(log *s*) where *s* is the number of sections.
  func path(ofRow position: Int) -> ListPath {
    let found = self.position(ofWeight: position)
    return ListPath(section: found.position, row: found.rest)
  }
}
