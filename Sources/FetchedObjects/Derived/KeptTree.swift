/// A list in which each element is kept or passed over: it finds the elements by their position among
/// all, and among the kept ones, and each position by the other.
///
///     var tree = KeptTree(cells)       // kept, passed over, kept
///     tree.keptCount                   // 2
///     tree.countOfKept(before: 2)      // 1
///     tree.kept(at: 1)                 // the third cell
///
/// A filter needs both: its source speaks of positions among all rows, its subscribers of those among
/// the kept. A `RankTree` counts one kind, and two of them don't lead from one position to the other;
/// so this is a B+tree with two counts for each child. A copy is made in O(1) and shares all nodes
/// with the original; a change copies the nodes on its way that another tree holds too.
struct KeptTree<Element: Keepable>: Sendable {
  final class Node: @unchecked Sendable {
    // @unchecked: a node is changed only while one tree alone holds it.
    var elements: ContiguousArray<Element> = []
    var children: ContiguousArray<Node> = []
    var count = 0
    var keptCount = 0

    var isLeaf: Bool { children.isEmpty }
    var width: Int { isLeaf ? elements.count : children.count }

    func copy() -> Node {
      let node = Node()
      node.elements = elements
      node.children = children
      node.count = count
      node.keptCount = keptCount
      return node
    }

    /// Counts anew what is below.
    func tally() {
      if isLeaf {
        count = elements.count
        keptCount = elements.reduce(0) { $0 + ($1.isKept ? 1 : 0) }
      } else {
        count = children.reduce(0) { $0 + $1.count }
        keptCount = children.reduce(0) { $0 + $1.keptCount }
      }
    }
  }

  /// The most elements in a leaf, and children in an inner node.
  static var widest: Int { 16 }
  static var narrowest: Int { 4 }
  /// How full a list is built.
  private static var fill: Int { 12 }

  var root = Node()

  init() {}

  /// A tree of `elements`, built in O(n).
  init(_ elements: some Collection<Element>) {
    let elements = ContiguousArray(elements)
    var level = Self.evenParts(of: elements.count).map { range in
      let node = Node()
      node.elements = ContiguousArray(elements[range])
      node.tally()
      return node
    }
    while level.count > 1 {
      level = Self.evenParts(of: level.count).map { Self.parent(of: level[$0]) }
    }
    root = level.first ?? Node()
    checkInvariants()
  }

  /// As few parts as fit, all about as large, so that none is narrow but a lone one.
  private static func evenParts(of count: Int) -> [Range<Int>] {
    let parts = (count + fill - 1) / fill
    return (0..<parts).map { (count * $0 / parts)..<(count * ($0 + 1) / parts) }
  }

  static func parent(of children: some Sequence<Node>) -> Node {
    let node = Node()
    node.children = ContiguousArray(children)
    node.tally()
    return node
  }

  /// How many elements there are.
  var count: Int { root.count }

  /// How many of them are kept.
  var keptCount: Int { root.keptCount }
}

// MARK: Reading

extension KeptTree {
  /// The element at a position among all.
  ///
  /// - Complexity: O(log n)
  subscript(position: Int) -> Element {
    var node = root
    var position = position
    while !node.isLeaf { node = node.children[Self.child(of: node, holding: &position)] }
    return node.elements[position]
  }

  /// The element at a position among the kept ones.
  ///
  /// - Complexity: O(log n)
  func kept(at position: Int) -> Element {
    var node = root
    var position = position
    while let child = node.children.first(where: { child in
      if position < child.keptCount { return true }
      position -= child.keptCount
      return false
    }) { node = child }
    for element in node.elements where element.isKept {
      if position == 0 { return element }
      position -= 1
    }
    preconditionFailure("There is no such kept element")
  }

  /// How many elements before a position are kept: the position of the element there among the kept
  /// ones, if it is one.
  ///
  /// - Complexity: O(log n)
  func countOfKept(before position: Int) -> Int {
    var node = root
    var position = position
    var kept = 0
    while !node.isLeaf {
      let index = Self.child(of: node, holding: &position)
      for child in node.children[..<index] { kept += child.keptCount }
      node = node.children[index]
    }
    for element in node.elements[..<position] where element.isKept { kept += 1 }
    return kept
  }

  /// Calls `body` with each element, in order.
  func forEach(_ body: (Element) throws -> Void) rethrows { try Self.forEach(in: root, body) }

  private static func forEach(in node: Node, _ body: (Element) throws -> Void) rethrows {
    for element in node.elements { try body(element) }
    for child in node.children { try forEach(in: child, body) }
  }

  /// The child that holds a position, or the end; the position becomes the one within it.
  static func child(of node: Node, holding position: inout Int) -> Int {
    var child = 0
    while child < node.children.count - 1, position >= node.children[child].count {
      position -= node.children[child].count
      child += 1
    }
    return child
  }
}
