internal import Locking

// Summaries of the entries of a tree, stored in its nodes.
//
// A tree doesn't know what its slots stand for, so the caller's closures sum up. A node stores the
// summary of the entries below it. A change copies the nodes on its path or clears their summaries.
// So only these nodes are summed up again after it, and a summary is never corrected by
// subtraction.
extension RankTree {
  /// Returns the summary of all entries.
  ///
  ///     tree.summary { Total(of: $0) } inner: { Total(adding: $0) }
  ///
  /// Trees that share a node share its summary. So all callers have to use the same closures, and
  /// an entry's contribution must not depend on anything that changes while the entry stays: see
  /// `discardSummaries(of:where:)`. Several threads may call this at once. Then a node may be
  /// summed up twice.
  ///
  /// - Parameters:
  ///   - kind: one of two independent summaries.
  ///   - leaf: sums up entries that follow each other.
  ///   - inner: sums up summaries of entries that follow each other, in their order.
  /// - Returns: the summary, which the tree keeps.
  /// - Complexity: O(*m*), where *m* is the number of nodes without a summary: O(*n*) for the first
  ///   time, and O(*k* log *n*) after *k* changes. If a node has a summary of another class, its
  ///   summary is computed each time and not kept.
  package func summary<Summary: AnyObject & Sendable>(
    _ kind: RankSummaryKind = .first, leaf: (_ entries: [RankEntry]) -> Summary,
    inner: (_ parts: [Summary]) -> Summary
  ) -> Summary {
    let made = withExtendedLifetime(root) {
      Self.summary(
        kind, of: root.fields, ObjectIdentifier(Summary.self), { leaf($0) },
        // All parts are of this class, and an array of references is the same for each class.
        { inner(unsafeBitCast($0, to: [Summary].self)) })
    }
    // `isOne` has compared its class, or `leaf` or `inner` has made it.
    return unsafeDowncast(made, to: Summary.self)
  }

  /// Returns the summary of a node, which is of the class `type`.
  ///
  /// It isn't generic, because callers in other modules would get it unspecialised.
  private static func summary(
    _ kind: RankSummaryKind, of node: UnsafeRankFields, _ type: ObjectIdentifier,
    _ leaf: ([RankEntry]) -> AnyObject, _ inner: ([AnyObject]) -> AnyObject
  ) -> AnyObject {
    func isOne(_ object: AnyObject) -> Bool {
      ObjectIdentifier(Swift.type(of: object)) == type
    }
    if let kept = node.summary(kind).object, isOne(kept) { return kept }
    let made: AnyObject
    if node.isLeaf {
      made = leaf(node.allEntries)
    } else {
      var parts: [AnyObject] = []
      parts.reserveCapacity(node.width)
      for index in 0..<node.width {
        parts.append(summary(kind, of: node.child(at: index), type, leaf, inner))
      }
      made = inner(parts)
    }
    let kept = node.summary(kind).set(made)
    return isOne(kept) ? kept : made
  }

  /// Discards the summaries of the nodes above `entry`, because the entry's contribution changes.
  ///
  /// Trees that share these nodes keep theirs. The entry is found as by `remove(_:where:)`. If
  /// `condition` throws, the tree stays as it was.
  ///
  /// - Returns: true if the tree contains the entry.
  /// - Complexity: O(log *n*) and as many calls of `condition`, all for slots with this prefix.
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

  /// Returns true if a node has a summary that differs from a new one: for checks of invariants.
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
