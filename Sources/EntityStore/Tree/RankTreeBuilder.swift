/// A builder that makes a ``RankTree`` of entries in order, in O(*n*).
@usableFromInline package struct RankTreeBuilder {
  private let widths: RankNodeWidths
  /// The leaves; all but the last are filled.
  private var leaves: ContiguousArray<UnsafeRankNode> = []
  /// The number of entries that the last leaf still has room for.
  private var room = 0
  package private(set) var count = 0

  init(widths: RankNodeWidths) { self.widths = widths }

  @usableFromInline package init() { self.init(widths: .standard) }

  /// Adds the next entry in the order.
  @usableFromInline package mutating func append(_ entry: RankEntry) {
    let leaf = leafWithRoom()
    leaf.insert(entry, at: leaf.width)
    room -= 1
    count += 1
  }

  @usableFromInline mutating func append(contentsOf entries: UnsafeBufferPointer<RankEntry>) {
    var entries = entries[...]
    while !entries.isEmpty {
      let leaf = leafWithRoom()
      let part = entries.prefix(room)
      leaf.append(UnsafeBufferPointer(rebasing: part))
      room -= part.count
      count += part.count
      entries = entries.dropFirst(part.count)
    }
  }

  private mutating func leafWithRoom() -> UnsafeRankFields {
    if room == 0 {
      leaves.append(UnsafeRankNode.make(height: 0, capacity: widths.leaf))
      room = RankNodeWidths.filled(of: widths.leaf)
    }
    return leaves[leaves.count - 1].fields
  }

  @usableFromInline package consuming func tree() -> RankTree {
    guard leaves.count > 1 else {
      let capacity = widths.room(for: count)
      let leaf = leaves.first?.copy(capacity: capacity)
      return RankTree(
        root: leaf ?? UnsafeRankNode.make(height: 0, capacity: capacity), count: count,
        widths: widths)
    }
    var level = leaves
    while level.count > 1 {
      // Only the last node can be narrow.
      let last = level[level.count - 1].fields
      if last.isNarrow { level[level.count - 2].fields.balance(with: last) }
      level = parents(of: level)
    }
    return RankTree(root: level[0], count: count, widths: widths)
  }

  private func parents(
    of level: ContiguousArray<UnsafeRankNode>
  ) -> ContiguousArray<UnsafeRankNode> {
    let filled = RankNodeWidths.filled(of: widths.inner)
    let height = level[0].fields.height + 1
    return ContiguousArray(
      stride(from: 0, to: level.count, by: filled).map { start in
        let parent = UnsafeRankNode.make(height: height, capacity: widths.inner)
        for child in level[start..<min(start + filled, level.count)] {
          parent.fields.insert(child, at: parent.fields.width)
        }
        return parent
      })
  }
}

extension RankTree {
  /// Creates a tree of entries that are in order.
  ///
  /// Its nodes are nearly full, with room for some entries to come.
  ///
  /// - Complexity: O(*n*)
  @inlinable package init(sorted entries: some Sequence<RankEntry>) {
    self.init(sorted: entries, with: RankTreeBuilder())
  }

  @inlinable init(sorted entries: some Sequence<RankEntry>, with builder: RankTreeBuilder) {
    var builder = builder
    let taken: Void? = entries.withContiguousStorageIfAvailable {
      builder.append(contentsOf: $0)
    }
    if taken == nil {
      for entry in entries { builder.append(entry) }
    }
    self = builder.tree()
  }
}
