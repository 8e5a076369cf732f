internal import Locking

// What the entries of a tree sum up to, kept in its nodes.
//
// A tree knows nothing of what its slots stand for, so whoever sums up says how. A node keeps the summary
// of what is below it. A change copies or clears the nodes on its way, so what is summed up after it are
// these alone, and a summary is never mended by taking something away from it.
extension RankTree {
  /// What all entries sum up to.
  ///
  ///     tree.summary { Total(of: $0) } inner: { Total(adding: $0) }
  ///
  /// Trees that share a node share its summary. So all who ask use the same closures, and an entry's
  /// contribution depends on nothing that changes while the entry stays: see
  /// `discardSummaries(of:where:)`. Threads may ask at once; then something may be summed up twice.
  ///
  /// - Parameters:
  ///   - kind: which of two independent summaries it is.
  ///   - leaf: sums up entries that follow each other.
  ///   - inner: sums up summaries of entries that follow each other, in their order.
  /// - Returns: the summary, which is kept.
  /// - Complexity: O(*m*), where *m* is the number of nodes without a summary: O(*n*) for the first time, and
  ///   O(*k* log *n*) after *k* changes. A summary of another class is made anew and not kept.
  package func summary<Summary: AnyObject & Sendable>(
    _ kind: RankSummaryKind = .first, leaf: (_ entries: [RankEntry]) -> Summary,
    inner: (_ parts: [Summary]) -> Summary
  ) -> Summary {
    withExtendedLifetime(root) { Self.summary(kind, of: root.fields, leaf, inner) }
  }

  private static func summary<Summary: AnyObject & Sendable>(
    _ kind: RankSummaryKind, of node: UnsafeRankFields, _ leaf: ([RankEntry]) -> Summary,
    _ inner: ([Summary]) -> Summary
  ) -> Summary {
    if let kept = node.summary(kind).object as? Summary { return kept }
    let made =
      node.isLeaf
      ? leaf(node.allEntries)
      : inner((0..<node.width).map { summary(kind, of: node.child(at: $0), leaf, inner) })
    return node.summary(kind).set(made) as? Summary ?? made
  }

  /// Forgets what the nodes above `entry` have been summed up to, since the entry contributes
  /// something else from now on; trees that share them keep theirs.
  ///
  /// The entry is found as by `remove(_:where:)`. If `condition` throws, the tree stays as it was.
  ///
  /// - Returns: whether the entry is there.
  /// - Complexity: O(log *n*) and so many calls of `condition`, all for slots with this prefix.
  @discardableResult
  package mutating func discardSummaries(
    of entry: RankEntry, where condition: (_ slot: UInt32) throws -> Bool
  ) rethrows -> Bool {
    try Self.discardSummaries(of: entry, where: condition, below: &root)
  }

  private static func discardSummaries(
    of entry: RankEntry, where condition: (UInt32) throws -> Bool, below slot: inout UnsafeRankNode
  ) rethrows -> Bool {
    UnsafeRankNode.makeUnique(&slot)
    let node = slot.fields
    let index = try node.place(of: entry.prefix, where: condition)
    guard !node.isLeaf else { return index < node.width && node.entries[index] == entry }
    return try discardSummaries(of: entry, where: condition, below: &node.children[index])
  }

  /// Whether a node keeps a summary that isn't what is made anew: for checks of invariants.
  ///
  /// - Complexity: O(*n*)
  package func keepsWrongSummary<Summary: AnyObject & Sendable>(
    _ kind: RankSummaryKind = .first, leaf: (_ entries: [RankEntry]) -> Summary,
    inner: (_ parts: [Summary]) -> Summary,
    areEqual: (Summary, Summary) -> Bool
  ) -> Bool {
    var isWrong = false
    func check(_ node: UnsafeRankFields) -> Summary {
      let made =
        node.isLeaf
        ? leaf(node.allEntries) : inner((0..<node.width).map { check(node.child(at: $0)) })
      if let kept = node.summary(kind).object as? Summary, !areEqual(kept, made) { isWrong = true }
      return made
    }
    _ = withExtendedLifetime(root) { check(root.fields) }
    return isWrong
  }
}
