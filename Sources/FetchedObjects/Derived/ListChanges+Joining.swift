internal import ListDiffing

extension ListChanges {
  /// Returns the changes that several make together, one after the other.
  ///
  /// - Complexity: O(*k* log *k* log *n*), where *k* is the number of changes in all, and *n* that
  ///   of elements in `all`.
  /// - Precondition: Each of them concerns other sections.
  static func joined(_ all: [ListChanges]) -> ListChanges {
    all.joinedInPairs { $0.followed(by: $1) } ?? ListChanges()
  }
}

extension Array {
  /// Returns the element that is joined from all elements, in order, or nil if there is none.
  ///
  /// Neighbours are joined first, then the results of these joins, and so on. So an element takes
  /// part in O(log *n*) joins. If each were joined with all before it, the first would take part in
  /// all joins.
  func joinedInPairs(_ join: (Element, Element) -> Element) -> Element? {
    var joined = self
    while joined.count > 1 {
      let parts = joined
      joined = stride(from: 0, to: parts.count, by: 2).map { index in
        index + 1 < parts.count ? join(parts[index], parts[index + 1]) : parts[index]
      }
    }
    return joined.first
  }
}
