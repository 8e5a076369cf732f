/// A list that can be copied in O(1) and changed in O(log n), the copies sharing what is the same.
///
/// It is a B+tree that counts its elements, so an element is found by its position, and the position
/// of a boundary by halving. Nodes that only one list holds are changed in place; others are copied
/// on the way down.
struct PersistentList<Element: Sendable>: Sendable {
  final class Node: @unchecked Sendable {
    // @unchecked: a node is changed only while one list alone holds it.
    var elements: ContiguousArray<Element> = []
    var children: ContiguousArray<Node> = []
    /// How many elements there are below each child.
    var counts: ContiguousArray<Int> = []
    /// How many elements there are in all.
    var count = 0

    var isLeaf: Bool { children.isEmpty }
    var width: Int { isLeaf ? elements.count : children.count }

    func copy() -> Node {
      let node = Node()
      node.elements = elements
      node.children = children
      node.counts = counts
      node.count = count
      return node
    }
  }

  /// The most elements in a leaf, and children in an inner node.
  ///
  /// Elements are references: a copied node retains each, so narrower nodes than those of plain
  /// numbers are faster.
  private static var widest: Int { 32 }
  private static var narrowest: Int { 8 }
  /// How full a list is built.
  private static var fill: Int { 24 }

  private(set) var root = Node()

  init() {}

  /// A list of `elements`, built in O(n).
  init(_ elements: [Element]) {
    var level = Self.evenParts(of: elements.count).map { range in
      let node = Node()
      node.elements = ContiguousArray(elements[range])
      node.count = node.elements.count
      return node
    }
    while level.count > 1 {
      level = Self.evenParts(of: level.count).map { Self.parent(of: level[$0]) }
    }
    root = level.first ?? Node()
  }

  /// As few parts as fit, all about as large, so that none is narrow but a lone one.
  private static func evenParts(of count: Int) -> [Range<Int>] {
    let parts = (count + fill - 1) / fill
    return (0..<parts).map { (count * $0 / parts)..<(count * ($0 + 1) / parts) }
  }

  private static func parent(of children: some Sequence<Node>) -> Node {
    let node = Node()
    node.children = ContiguousArray(children)
    node.counts = ContiguousArray(node.children.map(\.count))
    node.count = node.counts.reduce(0, +)
    return node
  }

  // MARK: Reading

  var count: Int { root.count }

  var isEmpty: Bool { root.count == 0 }

  /// - Complexity: O(log n)
  subscript(position: Int) -> Element {
    var node = root
    var position = position
    while !node.isLeaf {
      let child = Self.child(of: node, holding: &position)
      node = node.children[child]
    }
    return node.elements[position]
  }

  /// The child that holds a position, which becomes the position within it.
  private static func child(of node: Node, holding position: inout Int) -> Int {
    var child = 0
    while child < node.counts.count - 1, position >= node.counts[child] {
      position -= node.counts[child]
      child += 1
    }
    return child
  }

  /// The first position whose element meets `condition`, which all later ones meet too.
  ///
  /// - Complexity: O(log n) calls of `condition`.
  func partitioningIndex(where condition: (Element) throws -> Bool) rethrows -> Int {
    var node = root
    var position = 0
    while true {
      var low = 0
      // Among children, the first whose last element meets the condition; the last child otherwise.
      var high = node.isLeaf ? node.elements.count : node.children.count - 1
      while low < high {
        let middle = (low + high) / 2
        let element = node.isLeaf ? node.elements[middle] : Self.last(of: node.children[middle])
        if try condition(element) { high = middle } else { low = middle + 1 }
      }
      if node.isLeaf { return position + low }
      for child in 0..<low { position += node.counts[child] }
      node = node.children[low]
    }
  }

  private static func last(of node: Node) -> Element {
    var node = node
    while let child = node.children.last { node = child }
    return node.elements[node.elements.count - 1]
  }

  /// Calls `body` with each element, in order.
  func forEach(_ body: (Element) throws -> Void) rethrows {
    try Self.forEach(in: root, body)
  }

  private static func forEach(in node: Node, _ body: (Element) throws -> Void) rethrows {
    for element in node.elements { try body(element) }
    for child in node.children { try forEach(in: child, body) }
  }

  /// The elements, in order.
  var array: [Element] {
    var elements: [Element] = []
    elements.reserveCapacity(count)
    forEach { elements.append($0) }
    return elements
  }

  // MARK: Changing

  /// Puts `element` in the place of the one at `position`.
  mutating func replace(at position: Int, with element: Element) {
    Self.replace(in: &root, at: position, with: element)
  }

  private static func replace(in node: inout Node, at position: Int, with element: Element) {
    if !isKnownUniquelyReferenced(&node) { node = node.copy() }
    guard !node.isLeaf else { return node.elements[position] = element }
    var position = position
    let index = child(of: node, holding: &position)
    replace(in: &node.children[index], at: position, with: element)
  }

  /// Inserts `element` so that it stands at `position`.
  mutating func insert(_ element: Element, at position: Int) {
    if let sibling = Self.insert(element, into: &root, at: position) {
      root = Self.parent(of: [root, sibling])
    }
  }

  /// Inserts, and gives the node's new right neighbour if it had to be split.
  private static func insert(_ element: Element, into node: inout Node, at position: Int) -> Node? {
    if !isKnownUniquelyReferenced(&node) { node = node.copy() }
    node.count += 1
    if node.isLeaf {
      node.elements.insert(element, at: position)
    } else {
      var position = position
      let index = child(of: node, holding: &position)
      let sibling = insert(element, into: &node.children[index], at: position)
      node.counts[index] = node.children[index].count
      if let sibling {
        node.children.insert(sibling, at: index + 1)
        node.counts.insert(sibling.count, at: index + 1)
      }
    }
    return node.width > widest ? split(node) : nil
  }

  /// Moves the second half of a node that one list holds to a new right neighbour.
  private static func split(_ node: Node) -> Node {
    let sibling = Node()
    let half = node.width / 2
    if node.isLeaf {
      sibling.elements = ContiguousArray(node.elements[half...])
      node.elements.removeSubrange(half...)
      sibling.count = sibling.elements.count
    } else {
      sibling.children = ContiguousArray(node.children[half...])
      sibling.counts = ContiguousArray(node.counts[half...])
      node.children.removeSubrange(half...)
      node.counts.removeSubrange(half...)
      sibling.count = sibling.counts.reduce(0, +)
    }
    node.count -= sibling.count
    return sibling
  }

  /// Removes the element at `position`.
  mutating func remove(at position: Int) {
    Self.remove(from: &root, at: position)
    while root.children.count == 1 { root = root.children[0] }
  }

  private static func remove(from node: inout Node, at position: Int) {
    if !isKnownUniquelyReferenced(&node) { node = node.copy() }
    node.count -= 1
    guard !node.isLeaf else {
      node.elements.remove(at: position)
      return
    }
    var position = position
    let index = child(of: node, holding: &position)
    remove(from: &node.children[index], at: position)
    node.counts[index] = node.children[index].count
    if node.children[index].width < narrowest && node.children.count > 1 {
      join(node, index == 0 ? 0 : index - 1)
    }
  }

  /// Joins a child that has become narrow with its neighbour, and splits both evenly if that is too
  /// wide.
  private static func join(_ node: Node, _ index: Int) {
    let left = node.children[index].copy()
    let right = node.children[index + 1]
    left.elements.append(contentsOf: right.elements)
    left.children.append(contentsOf: right.children)
    left.counts.append(contentsOf: right.counts)
    left.count += right.count
    node.children.remove(at: index + 1)
    node.counts.remove(at: index + 1)
    let sibling = left.width > widest ? split(left) : nil
    node.children[index] = left
    node.counts[index] = left.count
    if let sibling {
      node.children.insert(sibling, at: index + 1)
      node.counts.insert(sibling.count, at: index + 1)
    }
  }
}
