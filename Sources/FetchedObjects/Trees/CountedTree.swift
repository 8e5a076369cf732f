internal import Locking

/// A list with two counts: of its elements, and of their weights.
///
///     let tree = CountedTree(sections)     // of 3, 1 and 2 rows
///     tree.weight                          // 6
///     tree.weight(before: 2)               // 4
///     tree.position(ofWeight: 4)           // (position: 2, rest: 0)
///
/// It finds an element by its position, and by a position among all weights, and each by the other.
/// A result finds a section by the position of a row. A filter converts positions among all rows of
/// its source to positions among the included ones, and back. A `RankTree` counts only one kind,
/// and two of them can't convert.
///
/// So it is a B+tree with two counts for each child. A tree is copied in O(1) and changed in
/// O(log *n*). The copies share the parts that are the same. Nodes that only one tree holds are
/// changed in place. Other nodes are copied on the way down.
struct CountedTree<Element: Weighted>: Sendable {
  final class Node: @unchecked Sendable {
    // @unchecked: a node is changed only while one tree alone holds it. Its summary is the
    // exception: it is set atomically.
    @exclusivity(unchecked) var elements: ContiguousArray<Element> = []
    @exclusivity(unchecked) var children: ContiguousArray<Node> = []
    /// The number of elements below each child.
    @exclusivity(unchecked) var counts: ContiguousArray<Int> = []
    /// The number of all elements.
    @exclusivity(unchecked) var count = 0
    /// The weight of each child; an element knows its own.
    @exclusivity(unchecked) var weights: ContiguousArray<Int> = []
    /// The weight of all elements.
    @exclusivity(unchecked) var weight = 0
    /// The summary of the elements below, once it has been requested.
    let summary: OnceReference<ResultSummary>
    /// The check sum of the elements below, once it has been requested.
    let feedSum: OnceReference<KeptFeedSum>

    init(keepsSummary: Bool) {
      summary = OnceReference(keepsObject: keepsSummary)
      feedSum = OnceReference(keepsObject: keepsSummary)
    }

    /// Creates a leaf with one element.
    convenience init(only element: Element, keepsSummary: Bool) {
      self.init(keepsSummary: keepsSummary)
      elements = [element]
      count = 1
      weight = element.weight
    }

    var keepsSummary: Bool { summary.keepsObject }

    var isLeaf: Bool { children.isEmpty }
    var width: Int { isLeaf ? elements.count : children.count }

    /// Returns the weight of a child, or of an element of a leaf.
    func weight(at index: Int) -> Int { isLeaf ? elements[index].weight : weights[index] }

    /// Returns a node with the same contents, but without a summary.
    func copy() -> Node {
      let node = Node(keepsSummary: keepsSummary)
      node.elements = elements
      node.children = children
      node.counts = counts
      node.count = count
      node.weights = weights
      node.weight = weight
      return node
    }

    /// Counts everything below from scratch.
    func tally() {
      if isLeaf {
        count = elements.count
        weight = elements.reduce(0) { $0 + $1.weight }
      } else {
        counts = ContiguousArray(children.lazy.map { $0.count })
        weights = ContiguousArray(children.lazy.map { $0.weight })
        count = counts.reduce(0, +)
        weight = weights.reduce(0, +)
      }
    }

    /// Counts one child again.
    func tally(_ index: Int) {
      let child = children[index]
      count += child.count - counts[index]
      counts[index] = child.count
      weight += child.weight - weights[index]
      weights[index] = child.weight
    }
  }

  /// The maximum number of elements in a leaf, and of children in an inner node.
  ///
  /// Elements are references, and a copied node retains each of them. So narrower nodes are faster
  /// here than for plain numbers.
  static var widest: Int { Element.nodeWidth }
  static var narrowest: Int { widest / 4 }
  /// The number of elements or children with which a node is built, at most.
  private static var fill: Int { widest / 4 * 3 }

  var root: Node

  /// Creates a tree of `elements` in O(n); its nodes keep summaries if `keepsSummaries` is true.
  init(_ elements: [Element] = [], keepsSummaries: Bool = false) {
    var level = Self.evenParts(of: elements.count).map { range in
      let node = Node(keepsSummary: keepsSummaries)
      node.elements = ContiguousArray(elements[range])
      node.tally()
      return node
    }
    while level.count > 1 {
      level = Self.evenParts(of: level.count).map { Self.parent(of: level[$0]) }
    }
    root = level.first ?? Node(keepsSummary: keepsSummaries)
  }

  /// Returns as few ranges as possible, all about as large, so that only a single range can be
  /// narrow.
  private static func evenParts(of count: Int) -> [Range<Int>] {
    let parts = (count + fill - 1) / fill
    // The first parts take what is over. A product of both numbers may not fit in 32 bits.
    let (size, rest) = count.quotientAndRemainder(dividingBy: max(parts, 1))
    return (0..<parts).map { part in
      let start = part * size + min(part, rest)
      return start..<start + size + (part < rest ? 1 : 0)
    }
  }

  static func parent(of children: some Collection<Node>) -> Node {
    let node = Node(keepsSummary: children.first?.keepsSummary ?? false)
    node.children = ContiguousArray(children)
    node.tally()
    return node
  }

  var count: Int { root.count }

  var isEmpty: Bool { root.count == 0 }

  var weight: Int { root.weight }
}
