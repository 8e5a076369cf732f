internal import Locking

extension CountedTree {
  /// Prepares a node for a change: copies it unless only this tree holds it, and clears its
  /// summaries.
  private static func makeUnique(_ node: inout Node) {
    guard isKnownUniquelyReferenced(&node) else { return node = node.copy() }
    node.summary.clear()
    node.feedSum.clear()
  }

  mutating func replace(at position: Int, with element: Element) {
    // A result without sections is one section. Its node isn't copied, because its only element is
    // replaced.
    if root.isLeaf && root.count == 1 {
      return root = Node(only: element, keepsSummary: root.keepsSummary)
    }
    update(at: position) { $0 = element }
  }

  mutating func update(at position: Int, _ body: (inout Element) -> Void) {
    Self.update(in: &root, at: position, body)
    checkInvariants()
  }

  private static func update(
    in node: inout Node, at position: Int, _ body: (inout Element) -> Void
  ) {
    makeUnique(&node)
    guard !node.isLeaf else {
      node.weight -= node.elements[position].weight
      body(&node.elements[position])
      node.weight += node.elements[position].weight
      return
    }
    var position = position
    let index = child(of: node, holding: &position)
    update(in: &node.children[index], at: position, body)
    node.tally(index)
  }

  mutating func insert(_ element: Element, at position: Int) {
    if let sibling = Self.insert(element, into: &root, at: position) {
      root = Self.parent(of: [root, sibling])
    }
    checkInvariants()
  }

  /// Inserts an element, and returns the node's new right neighbour if the node was split.
  private static func insert(_ element: Element, into node: inout Node, at position: Int) -> Node? {
    makeUnique(&node)
    if node.isLeaf {
      node.elements.insert(element, at: position)
    } else {
      var position = position
      let index = child(of: node, holding: &position)
      if let sibling = insert(element, into: &node.children[index], at: position) {
        node.children.insert(sibling, at: index + 1)
      }
    }
    let sibling = node.width > widest ? split(node) : nil
    node.tally()
    return sibling
  }

  /// Moves the second half of a node to a new right neighbour, and counts the neighbour's elements.
  ///
  /// Only one tree may hold the node.
  private static func split(_ node: Node) -> Node {
    let sibling = Node(keepsSummary: node.keepsSummary)
    let half = node.width / 2
    if node.isLeaf {
      sibling.elements = ContiguousArray(node.elements[half...])
      node.elements.removeSubrange(half...)
    } else {
      sibling.children = ContiguousArray(node.children[half...])
      node.children.removeSubrange(half...)
    }
    sibling.tally()
    return sibling
  }

  @discardableResult mutating func remove(at position: Int) -> Element {
    let element = Self.remove(from: &root, at: position)
    while root.children.count == 1 { root = root.children[0] }
    checkInvariants()
    return element
  }

  private static func remove(from node: inout Node, at position: Int) -> Element {
    makeUnique(&node)
    defer { node.tally() }
    guard !node.isLeaf else { return node.elements.remove(at: position) }
    var position = position
    let index = child(of: node, holding: &position)
    let element = remove(from: &node.children[index], at: position)
    if node.children[index].width < narrowest && node.children.count > 1 {
      join(node, index == 0 ? 0 : index - 1)
    }
    return element
  }

  /// Joins a child that has become narrow with its neighbour, and splits both evenly if the joined
  /// node is too wide.
  private static func join(_ node: Node, _ index: Int) {
    let left = node.children[index].copy()
    let right = node.children[index + 1]
    left.elements.append(contentsOf: right.elements)
    left.children.append(contentsOf: right.children)
    node.children.remove(at: index + 1)
    let sibling = left.width > widest ? split(left) : nil
    left.tally()
    node.children[index] = left
    if let sibling { node.children.insert(sibling, at: index + 1) }
  }
}
