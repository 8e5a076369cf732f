/// A search on its way from the root of a tree to a leaf, which reads one node of each level.
///
/// It holds no reference: the root has to outlive it.
@usableFromInline struct UnsafeRankDescent {
  private var node: UnsafeRankFields

  /// The entries that decide where the search continues.
  ///
  /// In a leaf these are its entries. In an inner node they are the last entries of all children
  /// but the last child. If none of them meets the condition, the search continues in the last
  /// child.
  @usableFromInline private(set) var candidates: UnsafeBufferPointer<RankEntry>

  /// The number of entries before those below the node, or before the result once it is found.
  @usableFromInline private(set) var rank = 0

  @usableFromInline init(from root: UnsafeRankNode) {
    node = root.fields
    candidates = node.candidates
  }

  /// Descends to the child at `index`, or adds the position of the entry there to the rank.
  ///
  /// - Returns: false if the node is a leaf. Then `rank` is the result.
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
