extension RankTree {
  /// Removes the entry at `rank`.
  ///
  /// - Complexity: O(log *n*)
  @discardableResult
  package mutating func remove(at rank: Int) -> RankEntry {
    precondition(rank >= 0 && rank < count, "The tree has no entry at this rank to remove")
    let entry = Self.remove(at: rank, below: &root)
    finishRemoval()
    return entry
  }

  /// Removes `entry` if it is the first one with its prefix whose slot meets `condition`.
  ///
  ///     tree.remove(RankEntry(prefix: prefix(of: own), slot: slot)) { names[$0] >= own }
  ///
  /// If a slot meets `condition`, all later slots with this prefix have to meet it, too. The
  /// entries have to be in the order of their prefixes. If `condition` throws, the tree stays as it
  /// was.
  ///
  /// - Returns: the rank that the entry had, or nil if the tree doesn't contain it.
  /// - Complexity: O(log *n*) and as many calls of `condition`, all for slots with this prefix.
  @discardableResult
  package mutating func remove(
    _ entry: RankEntry, where condition: (_ slot: UInt32) throws -> Bool
  ) rethrows -> Int? {
    var rank = 0
    guard try Self.remove(entry, where: condition, below: &root, addingTo: &rank) else {
      return nil
    }
    finishRemoval()
    return rank
  }

  /// Subtracts the entry from the count, and removes a root that has one child only.
  private mutating func finishRemoval() {
    count -= 1
    if let child = root.fields.onlyChild { root = child }
    checkInvariants()
  }

  private static func remove(at position: Int, below slot: inout UnsafeRankNode) -> RankEntry {
    UnsafeRankNode.makeUnique(&slot)
    let node = slot.fields
    guard !node.isLeaf else {
      let entry = node.entries[position]
      node.closeGap(at: position, count: 1)
      return entry
    }
    var position = position
    let index = node.child(holding: &position)
    let entry = remove(at: position, below: &node.children[index])
    node.noteRemoval(belowChildAt: index)
    return entry
  }

  /// Removes an entry, and returns true if the tree contained it.
  ///
  /// Nothing changes before the last call of `condition`, so it may throw.
  private static func remove(
    _ entry: RankEntry, where condition: (UInt32) throws -> Bool,
    below slot: inout UnsafeRankNode, addingTo rank: inout Int
  ) rethrows -> Bool {
    UnsafeRankNode.makeUnique(&slot)
    let node = slot.fields
    let index = try node.place(of: entry.prefix, where: condition)
    guard !node.isLeaf else {
      guard index < node.width, node.entries[index] == entry else { return false }
      rank += index
      node.closeGap(at: index, count: 1)
      return true
    }
    rank += node.countOfEntries(beforeChildAt: index)
    guard
      try remove(entry, where: condition, below: &node.children[index], addingTo: &rank)
    else { return false }
    node.noteRemoval(belowChildAt: index)
    return true
  }
}
