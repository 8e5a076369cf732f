extension RankTree {
  /// The entry at `rank`.
  ///
  /// - Complexity: O(log *n*)
  package subscript(rank: Int) -> RankEntry {
    precondition(rank >= 0 && rank < count, "The tree has no entry at this rank")
    return withExtendedLifetime(root) {
      var node = root.fields
      var position = rank
      for _ in 0..<node.height {
        node = node.child(at: node.child(holding: &position))
      }
      return node.entries[position]
    }
  }

  /// Returns the first rank whose entry meets `condition`.
  ///
  /// If an entry meets `condition`, all later ones have to meet it, too.
  ///
  /// - Returns: the rank, which is `count` if no entry meets the condition.
  /// - Complexity: O(log *n*) calls of `condition`.
  package func partitioningIndex(where condition: (RankEntry) throws -> Bool) rethrows -> Int {
    try withExtendedLifetime(root) {
      var node = root.fields
      var rank = 0
      for _ in 0..<node.height {
        let index = try node.place(where: condition)
        rank += node.countOfEntries(beforeChildAt: index)
        node = node.child(at: index)
      }
      return rank + (try node.place(where: condition))
    }
  }

  /// Returns the first rank whose entry has a greater prefix, or the same prefix and a slot that
  /// meets `condition`.
  ///
  ///     let own = names[slot]
  ///     tree.rank(of: prefix(of: own)) { names[$0] >= own }
  ///
  /// If a slot meets `condition`, all later slots with this prefix have to meet it, too. The
  /// entries have to be in the order of their prefixes.
  ///
  /// - Returns: the rank, which is `count` if there is no such entry.
  /// - Complexity: O(log *n*) and as many calls of `condition`, all for slots with this prefix.
  package func rank(
    of prefix: UInt64, where condition: (_ slot: UInt32) throws -> Bool
  ) rethrows -> Int {
    try withExtendedLifetime(root) {
      var node = root.fields
      var rank = 0
      for _ in 0..<node.height {
        let index = try node.place(of: prefix, where: condition)
        rank += node.countOfEntries(beforeChildAt: index)
        node = node.child(at: index)
      }
      return rank + (try node.place(of: prefix, where: condition))
    }
  }
}
