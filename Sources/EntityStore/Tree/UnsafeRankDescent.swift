/// A search on its way from the root of a tree to a leaf, at one node of each level.
///
/// It holds nothing: the root has to outlive it.
@usableFromInline struct UnsafeRankDescent {
  private var node: UnsafeRankFields

  /// What tells where to go on: the entries of a leaf; of an inner node the last entry of each child
  /// but the last, which is where a search ends up that none of them meets.
  @usableFromInline private(set) var candidates: UnsafeBufferPointer<RankEntry>

  /// How many entries are before those below the node, or before what was sought if it's found.
  @usableFromInline private(set) var rank = 0

  @usableFromInline init(from root: UnsafeRankNode) {
    node = root.fields
    candidates = node.candidates
  }

  /// Goes down to the child at `index`, or notes the rank of the entry there.
  ///
  /// - Returns: false if the node is a leaf, so that `rank` is what was sought.
  @usableFromInline mutating func continues(at index: Int) -> Bool {
    guard !node.isLeaf else {
      rank += index
      return false
    }
    rank += node.countOfEntries(beforeChildAt: index)
    node = node.child(at: index)
    candidates = node.candidates
    return true
  }
}
