internal import Locking

extension CountedTree {
  /// Returns the summary of all elements.
  ///
  /// Each node keeps the summary of the elements below it until one of them is replaced. The rules
  /// of `RankTree.summary` hold here, too. `combine` sums up the summaries of consecutive sections.
  ///
  /// - Complexity: O(*m*) where *m* is the number of nodes without a summary.
  func summary(
    section: (Element) -> ResultSummary, combine: ([ResultSummary]) -> ResultSummary
  ) -> ResultSummary { Self.summary(of: root, section, combine) }

  private static func summary(
    of node: Node, _ section: (Element) -> ResultSummary,
    _ combine: ([ResultSummary]) -> ResultSummary
  ) -> ResultSummary {
    if let kept = node.summary.object { return kept }
    let made = combine(
      node.isLeaf
        ? node.elements.map(section) : node.children.map { summary(of: $0, section, combine) })
    return node.summary.set(made)
  }

  /// The same elements in nodes that keep summaries.
  ///
  /// - Complexity: O(*s*) where *s* is the number of sections; O(1) if the nodes keep them already.
  var keepingSummaries: CountedTree {
    root.keepsSummary ? self : CountedTree(array, keepsSummaries: true)
  }

  /// Returns the check sum of all sections, which is kept like their summary.
  func feedSum(of section: (Element) -> FeedSum) -> FeedSum {
    Self.feedSum(of: root, section).sum
  }

  private static func feedSum(
    of node: Node, _ section: (Element) -> FeedSum
  ) -> KeptFeedSum {
    if let kept = node.feedSum.object { return kept }
    var sum = FeedSum()
    for element in node.elements { sum.append(section(element)) }
    for child in node.children { sum.append(feedSum(of: child, section).sum) }
    return node.feedSum.set(KeptFeedSum(sum))
  }

  #if INTERNAL_CHECKS
  /// Checks that each summary that a node keeps is that of its sections.
  func checkSummaries(
    section: (Element) -> ResultSummary, combine: ([ResultSummary]) -> ResultSummary
  ) {
    func check(_ node: Node) -> ResultSummary {
      let made = combine(
        node.isLeaf ? node.elements.map(section) : node.children.map { check($0) })
      if let kept = node.summary.object {
        precondition(kept == made, "A node of a CountedTree keeps the summary of other elements")
      }
      return made
    }
    _ = check(root)
  }
  #endif
}
