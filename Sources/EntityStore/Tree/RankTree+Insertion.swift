extension RankTree {
  /// Inserts `entry` so that it has `rank`.
  ///
  /// - Complexity: O(log *n*)
  package mutating func insert(_ entry: RankEntry, at rank: Int) {
    precondition(rank >= 0 && rank <= count, "An entry can't be inserted beyond the ends")
    widenOnlyLeaf()
    finishInsertion(Self.insert(entry, at: rank, below: &root))
  }

  /// Inserts `entry` before the first one with a greater prefix, or with the same prefix and a slot
  /// that meets `condition`.
  ///
  ///     tree.insert(RankEntry(prefix: prefix(of: own), slot: slot)) { names[$0] >= own }
  ///
  /// If a slot meets `condition`, all later slots with this prefix have to meet it, too. The
  /// entries have to be in the order of their prefixes. If `condition` throws, the tree stays as it
  /// was.
  ///
  /// - Returns: the rank of the entry.
  /// - Complexity: O(log *n*) and as many calls of `condition`, all for slots with this prefix.
  @discardableResult
  package mutating func insert(
    _ entry: RankEntry, where condition: (_ slot: UInt32) throws -> Bool
  ) rethrows -> Int {
    var rank = 0
    widenOnlyLeaf()
    finishInsertion(
      try Self.insert(entry, where: condition, below: &root, addingTo: &rank))
    return rank
  }

  /// Gives a leaf that is the whole tree more room, if it is full and may become wider.
  private mutating func widenOnlyLeaf() {
    let node = root.fields
    guard node.isLeaf, node.isFull, node.capacity < widths.leaf else { return }
    root = root.copy(capacity: widths.room(for: node.width + 1))
  }

  /// Counts the entry, and adds a root above the old one and its `sibling` if the old one was
  /// split.
  private mutating func finishInsertion(_ sibling: UnsafeRankNode?) {
    count += 1
    if let sibling {
      let parent = UnsafeRankNode.make(height: root.fields.height + 1, capacity: widths.inner)
      parent.fields.insert(root, at: 0)
      parent.fields.insert(sibling, at: 1)
      root = parent
    }
    checkInvariants()
  }

  /// Inserts an entry, and returns the node's new right neighbour if the node was split.
  private static func insert(
    _ entry: RankEntry, at position: Int, below slot: inout UnsafeRankNode
  ) -> UnsafeRankNode? {
    UnsafeRankNode.makeUnique(&slot)
    let node = slot.fields
    guard !node.isLeaf else { return node.insertSplitting(entry, at: position) }
    var position = position
    let index = node.child(holding: &position)
    let sibling = insert(entry, at: position, below: &node.children[index])
    return node.noteInsertion(belowChildAt: index, sibling: sibling)
  }

  /// Inserts an entry, and returns the node's new right neighbour if the node was split.
  ///
  /// Nothing changes before the last call of `condition`, so it may throw.
  private static func insert(
    _ entry: RankEntry, where condition: (UInt32) throws -> Bool,
    below slot: inout UnsafeRankNode, addingTo rank: inout Int
  ) rethrows -> UnsafeRankNode? {
    UnsafeRankNode.makeUnique(&slot)
    let node = slot.fields
    let index = try node.place(of: entry.prefix, where: condition)
    guard !node.isLeaf else {
      rank += index
      return node.insertSplitting(entry, at: index)
    }
    rank += node.countOfEntries(beforeChildAt: index)
    let sibling = try insert(
      entry, where: condition, below: &node.children[index], addingTo: &rank)
    return node.noteInsertion(belowChildAt: index, sibling: sibling)
  }
}
