extension KeptTree {
  /// Changes the element at a position.
  ///
  /// - Complexity: O(log n)
  mutating func update(at position: Int, _ body: (inout Element) -> Void) {
    Self.update(in: &root, at: position, body)
    checkInvariants()
  }

  private static func update(
    in node: inout Node, at position: Int, _ body: (inout Element) -> Void
  ) {
    if !isKnownUniquelyReferenced(&node) { node = node.copy() }
    guard !node.isLeaf else {
      node.keptCount -= node.elements[position].isKept ? 1 : 0
      body(&node.elements[position])
      node.keptCount += node.elements[position].isKept ? 1 : 0
      return
    }
    var position = position
    let index = child(of: node, holding: &position)
    node.keptCount -= node.children[index].keptCount
    update(in: &node.children[index], at: position, body)
    node.keptCount += node.children[index].keptCount
  }

  /// Inserts `element` at `position`.
  ///
  /// - Complexity: O(log n)
  mutating func insert(_ element: Element, at position: Int) {
    if let sibling = Self.insert(element, into: &root, at: position) {
      root = Self.parent(of: [root, sibling])
    }
    checkInvariants()
  }

  /// Inserts an element, and returns the node's new right neighbour if the node had to be split.
  private static func insert(_ element: Element, into node: inout Node, at position: Int) -> Node? {
    if !isKnownUniquelyReferenced(&node) { node = node.copy() }
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

  /// Moves the second half of a node to a new right neighbour and returns that, with its counts.
  ///
  /// - Precondition: Only one tree holds the node. The caller counts the node again.
  private static func split(_ node: Node) -> Node {
    let sibling = Node()
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

  /// Removes the element at `position`.
  ///
  /// - Complexity: O(log n)
  @discardableResult
  mutating func remove(at position: Int) -> Element {
    let element = Self.remove(from: &root, at: position)
    while root.children.count == 1 { root = root.children[0] }
    checkInvariants()
    return element
  }

  private static func remove(from node: inout Node, at position: Int) -> Element {
    if !isKnownUniquelyReferenced(&node) { node = node.copy() }
    guard !node.isLeaf else {
      let element = node.elements.remove(at: position)
      node.tally()
      return element
    }
    var position = position
    let index = child(of: node, holding: &position)
    let element = remove(from: &node.children[index], at: position)
    if node.children[index].width < narrowest && node.children.count > 1 {
      join(node, index == 0 ? 0 : index - 1)
    }
    node.tally()
    return element
  }

  /// Joins a narrow child with its neighbour, and splits the result evenly if it is too wide.
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
