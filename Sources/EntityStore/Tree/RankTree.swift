/// A sequence of entries in the caller's order that finds an entry by its rank, and a rank by a
/// key.
///
///     var tree = RankTree(sorted: [
///       RankEntry(prefix: 10, slot: 0), RankEntry(prefix: 30, slot: 1),
///     ])
///     tree.insert(RankEntry(prefix: 20, slot: 2), at: 1)
///     tree[1].slot  // 2
///     tree.partitioningIndex { $0.prefix >= 30 }  // 2
///
/// A copy takes O(1) and shares all nodes with the original. A change copies the nodes on its path
/// that another tree holds too, and changes the others in place. So a copy never sees the change.
/// Copies may be read and changed on different threads.
///
/// It is a B+tree. An inner node has for each child the number of entries below it and the last of
/// them. So a search reads one node on each level.
@usableFromInline package struct RankTree: @unchecked Sendable {
  // @unchecked: a node is changed only while one tree alone holds it. The exception is its summary,
  // which is set atomically.
  @usableFromInline var root: UnsafeRankNode
  @usableFromInline package internal(set) var count: Int
  let widths: RankNodeWidths

  package init() { self.init(widths: .standard) }

  init(widths: RankNodeWidths) {
    root = UnsafeRankNode.make(height: 0, capacity: widths.room(for: 0))
    count = 0
    self.widths = widths
  }

  init(root: UnsafeRankNode, count: Int, widths: RankNodeWidths) {
    self.root = root
    self.count = count
    self.widths = widths
  }

  package var isEmpty: Bool { count == 0 }
}
