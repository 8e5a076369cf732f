/// The entries at some ranks of a tree, piece by piece.
///
/// It holds nothing: the tree has to outlive it.
@usableFromInline struct UnsafeRankSpans {
  private let root: UnsafeRankFields
  /// The ranks that are still to come.
  private var ranks: Range<Int>
  /// The inner node right above the next leaf, which child of it the leaf is, and the next entry.
  ///
  /// When there are no more children, a descent from the root finds where to go on.
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

  /// The next entries that are in one piece, or nil after the last.
  @usableFromInline mutating func next() -> UnsafeBufferPointer<RankEntry>? {
    next(atMost: ranks.count)
  }

  /// At most `limit` of the next entries, in one piece, or nil after the last.
  mutating func next(atMost limit: Int) -> UnsafeBufferPointer<RankEntry>? {
    guard !ranks.isEmpty else { return nil }
    guard !root.isLeaf else { return take(min(limit, ranks.count), from: root, at: rank) }
    if index == parent.width {
      position = rank
      parent = root
      while parent.height > 1 { parent = parent.child(at: parent.child(holding: &position)) }
      index = parent.child(holding: &position)
    }
    // The parent tells the leaf's width, so that nobody has to wait for the leaf.
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
