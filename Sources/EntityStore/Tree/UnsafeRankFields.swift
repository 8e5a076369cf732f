internal import Locking

/// The memory of a node of a ``RankTree``.
///
/// It doesn't hold the node, so it is valid only while a reference to the node exists.
@usableFromInline struct UnsafeRankFields {
  let header: UnsafeMutablePointer<RankNodeHeader>
  /// The entries of a leaf; of an inner node the last entry of each child.
  let entries: UnsafeMutablePointer<RankEntry>

  /// The number of levels below the node.
  @inline(__always) var height: Int { Int(header.pointee.height) }

  @inline(__always) var isLeaf: Bool { header.pointee.height == 0 }

  /// The number of entries or children that it has room for.
  @inline(__always) var capacity: Int { Int(header.pointee.capacity) }

  /// The number of entries or children.
  @inline(__always) var width: Int {
    get { Int(header.pointee.width) }
    nonmutating set { header.pointee.width = UInt16(newValue) }
  }

  @inline(__always) var isFull: Bool { width == capacity }

  /// True if it has fewer entries or children than a node should that isn't the root.
  @inline(__always) var isNarrow: Bool { width < RankNodeWidths.narrowest(of: capacity) }

  /// The number of entries below each child of an inner node.
  @inline(__always) var counts: UnsafeMutablePointer<UInt32> {
    UnsafeMutableRawPointer(entries + capacity).assumingMemoryBound(to: UInt32.self)
  }

  /// Returns a summary of the entries below.
  ///
  /// Every holder of the node may set it, since it follows from the entries alone.
  @inline(__always) func summary(_ kind: RankSummaryKind) -> UnsafeOnceReference {
    let words = UnsafeMutableRawPointer(header).assumingMemoryBound(to: Int.self)
    return UnsafeOnceReference(words + kind.rawValue)
  }

  /// Releases the summaries, while no other code can reach the node.
  @inline(__always) func clearSummaries() {
    summary(.first).clear()
    summary(.second).clear()
  }

  /// The children of an inner node.
  @inline(__always) var children: UnsafeMutablePointer<UnsafeRankNode> {
    UnsafeMutableRawPointer(counts + capacity).assumingMemoryBound(to: UnsafeRankNode.self)
  }

  /// Binds the second half of a new inner node's memory to counts and children.
  func bindMemoryOfChildren() {
    UnsafeMutableRawPointer(counts).bindMemory(to: UInt32.self, capacity: capacity)
    UnsafeMutableRawPointer(children).bindMemory(to: UnsafeRankNode.self, capacity: capacity)
  }

  @inline(__always) func child(at index: Int) -> UnsafeRankFields { children[index].fields }

  /// The child of an inner node that has only this one, otherwise nil.
  var onlyChild: UnsafeRankNode? { !isLeaf && width == 1 ? children[0] : nil }

  /// The entries of a leaf.
  var allEntries: [RankEntry] { Array(UnsafeBufferPointer(start: entries, count: width)) }

  /// The last entry below the node, which must not be empty.
  @inline(__always) var last: RankEntry { entries[width - 1] }

  var countOfEntries: Int { isLeaf ? width : countOfEntries(beforeChildAt: width) }

  @inline(__always) func countOfEntries(beforeChildAt index: Int) -> Int {
    let counts = counts
    var sum = 0
    for child in 0..<index { sum &+= Int(counts[child]) }
    return sum
  }
}
