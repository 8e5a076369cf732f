/// The entries at some ranks of a tree, in contiguous pieces.
///
/// It holds no reference: the tree has to outlive it.
@usableFromInline struct UnsafeRankSpans {
  private let root: UnsafeRankFields
  /// The ranks that haven't been returned yet.
  private var ranks: Range<Int>
  /// The inner node directly above the next leaf, the leaf's index in it, and the next entry.
  ///
  /// When it has no more children, a descent from the root finds the next leaf.
  private var parent: UnsafeRankFields
  private var index: Int
  private var position = 0

  @usableFromInline init(of tree: RankTree, in ranks: Range<Int>) {
    precondition(
      ranks.lowerBound >= 0 && ranks.upperBound <= tree.count, "The tree has no such ranks")
    self.ranks = ranks
    root = tree.root.fields
    parent = root
    index = root.width
  }

  /// The rank of the next entry.
  var rank: Int { ranks.lowerBound }

  /// Returns the next entries that are contiguous, or nil after the last.
  @usableFromInline mutating func next() -> UnsafeBufferPointer<RankEntry>? {
    next(atMost: ranks.count)
  }

  /// Returns at most `limit` of the next entries, which are contiguous, or nil after the last.
  mutating func next(atMost limit: Int) -> UnsafeBufferPointer<RankEntry>? {
    guard !ranks.isEmpty else { return nil }
    guard !root.isLeaf else { return take(min(limit, ranks.count), from: root, at: rank) }
    if index == parent.width {
      position = rank
      parent = root
      while parent.height > 1 { parent = parent.child(at: parent.child(holding: &position)) }
      index = parent.child(holding: &position)
    }
    // The parent has the leaf's width, so the code doesn't wait for the leaf to be loaded.
    let available = Int(parent.counts[index]) - position
    let count = min(available, limit, ranks.count)
    let span = take(count, from: parent.child(at: index), at: position)
    position += count
    if count == available {
      position = 0
      index += 1
    }
    return span
  }

  private mutating func take(
    _ count: Int, from leaf: UnsafeRankFields, at position: Int
  ) -> UnsafeBufferPointer<RankEntry> {
    ranks = rank + count..<ranks.upperBound
    return UnsafeBufferPointer(start: leaf.entries + position, count: count)
  }
}
