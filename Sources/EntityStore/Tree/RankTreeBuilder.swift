/// A builder that makes a ``RankTree`` of entries in order, in O(*n*).
@usableFromInline package struct RankTreeBuilder {
  private let widths: RankNodeWidths
  /// The leaves; all but the last are filled.
  private var leaves: ContiguousArray<UnsafeRankNode> = []
  /// The place of the next entry in the last leaf.
  private var next: UnsafeMutablePointer<RankEntry>?
  /// The number of entries that the last leaf still has room for.
  private var room = 0
  package private(set) var count = 0

  init(widths: RankNodeWidths) { self.widths = widths }

  @usableFromInline package init() { self.init(widths: .standard) }

  /// Adds the next entry in the order.
  @usableFromInline package mutating func append(_ entry: RankEntry) {
    withUnsafePointer(to: entry) { append(contentsOf: UnsafeBufferPointer(start: $0, count: 1)) }
  }

  @usableFromInline mutating func append(contentsOf entries: UnsafeBufferPointer<RankEntry>) {
    guard var entry = entries.baseAddress else { return }
    let end = entry + entries.count
    while entry < end {
      if room == 0 { addLeaf() }
      guard let place = next else { preconditionFailure("A leaf has no memory") }
      let part = min(room, end - entry)
      place.update(from: entry, count: part)
      next = place + part
      entry += part
      room -= part
      count += part
    }
  }

  private mutating func addLeaf() {
    leaves.last?.fields.width = RankNodeWidths.filled(of: widths.leaf)
    let leaf = UnsafeRankNode.make(height: 0, capacity: widths.leaf)
    next = leaf.fields.entries
    leaves.append(leaf)
    room = RankNodeWidths.filled(of: widths.leaf)
  }

  @usableFromInline package consuming func tree() -> RankTree {
    leaves.last?.fields.width = RankNodeWidths.filled(of: widths.leaf) - room
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
