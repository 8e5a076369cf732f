/// A list whose elements are kept or left out, with positions among all elements and among the kept
/// ones.
///
///     var tree = KeptTree(cells)       // kept, left out, kept
///     tree.keptCount                   // 2
///     tree.countOfKept(before: 2)      // 1
///     tree.kept(at: 1)                 // the third cell
///
/// It finds an element by either position, and each position by the other. A filter needs both: its
/// source uses positions among all rows, and its subscribers use positions among the kept rows. A
/// `RankTree` counts only one kind, and two of them can't convert between the positions. So this is
/// a B+tree with two counts for each child. A copy is made in O(1) and shares all nodes with the
/// original. A change copies the nodes on its path that another tree holds, too.
struct KeptTree<Element: Keepable>: Sendable {
  final class Node: @unchecked Sendable {
    // @unchecked: A node is changed only while a single tree holds it.
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

    /// Computes the counts again from the children or elements.
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

  /// The maximum number of elements in a leaf and of children in an inner node.
  static var widest: Int { 16 }
  static var narrowest: Int { 4 }
  /// The number of elements or children in a node of a newly built tree.
  private static var fill: Int { 12 }

  var root = Node()

  init() {}

  /// Creates a tree of `elements`, in O(n).
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

  /// Returns the smallest possible number of parts, all of nearly equal size.
  ///
  /// A part is narrow only if it is the only one.
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

  /// The number of elements.
  var count: Int { root.count }

  /// The number of kept elements.
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

  /// Returns the element at a position among the kept ones.
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

  /// Returns the number of kept elements before a position.
  ///
  /// If the element at the position is kept, this is its position among the kept ones.
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

  /// Returns the child that holds a position or the end, and changes the position to the one within
  /// that child.
  static func child(of node: Node, holding position: inout Int) -> Int {
    var child = 0
    while child < node.children.count - 1, position >= node.children[child].count {
      position -= node.children[child].count
      child += 1
    }
    return child
  }
}
