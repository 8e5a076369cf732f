internal import Locking

/// The memory of a node of a ``RankTree``.
///
/// It doesn't hold the node, so it's good only as long as somebody does.
@usableFromInline struct UnsafeRankFields {
  let header: UnsafeMutablePointer<RankNodeHeader>
  /// The entries of a leaf; of an inner node the last entry of each child.
  let entries: UnsafeMutablePointer<RankEntry>

  /// How many levels are below the node.
  @inline(__always) var height: Int { Int(header.pointee.height) }

  @inline(__always) var isLeaf: Bool { header.pointee.height == 0 }

  /// How many entries or children there is room for.
  @inline(__always) var capacity: Int { Int(header.pointee.capacity) }

  /// How many entries or children there are.
  @inline(__always) var width: Int {
    get { Int(header.pointee.width) }
    nonmutating set { header.pointee.width = UInt16(newValue) }
  }

  @inline(__always) var isFull: Bool { width == capacity }

  /// Whether it has fewer entries or children than a node that isn't the root should.
  @inline(__always) var isNarrow: Bool { width < RankNodeWidths.narrowest(of: capacity) }

  /// How many entries are below each child of an inner node.
  @inline(__always) var counts: UnsafeMutablePointer<UInt32> {
    UnsafeMutableRawPointer(entries + capacity).assumingMemoryBound(to: UInt32.self)
  }

  /// What the entries below have been summed up to.
  ///
  /// All who hold the node may set it, since it says nothing that the entries don't.
  @inline(__always) func summary(_ kind: RankSummaryKind) -> UnsafeOnceReference {
    let words = UnsafeMutableRawPointer(header).assumingMemoryBound(to: Int.self)
    return UnsafeOnceReference(words + kind.rawValue)
  }

  /// Lets go of what the entries have been summed up to, while nobody else can reach the node.
  @inline(__always) func clearSummaries() {
    summary(.first).clear()
    summary(.second).clear()
  }

  /// The children of an inner node.
  @inline(__always) var children: UnsafeMutablePointer<UnsafeRankNode> {
    UnsafeMutableRawPointer(counts + capacity).assumingMemoryBound(to: UnsafeRankNode.self)
  }

  /// Makes the second half of a new inner node's memory one of counts and children.
  func bindMemoryOfChildren() {
    UnsafeMutableRawPointer(counts).bindMemory(to: UInt32.self, capacity: capacity)
    UnsafeMutableRawPointer(children).bindMemory(to: UnsafeRankNode.self, capacity: capacity)
  }

  @inline(__always) func child(at index: Int) -> UnsafeRankFields { children[index].fields }

  /// The child of an inner node that has no other.
  var onlyChild: UnsafeRankNode? { !isLeaf && width == 1 ? children[0] : nil }

  /// The entries of a leaf.
  var allEntries: [RankEntry] { Array(UnsafeBufferPointer(start: entries, count: width)) }

  /// The last entry below the node, which has one.
  @inline(__always) var last: RankEntry { entries[width - 1] }

  /// How many entries are below the node.
  var countOfEntries: Int { isLeaf ? width : countOfEntries(beforeChildAt: width) }

  /// How many entries are below the children before that at `index`.
  @inline(__always) func countOfEntries(beforeChildAt index: Int) -> Int {
    let counts = counts
    var sum = 0
    for child in 0..<index { sum &+= Int(counts[child]) }
    return sum
  }
}
