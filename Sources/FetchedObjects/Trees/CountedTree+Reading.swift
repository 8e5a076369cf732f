extension CountedTree {
  /// Returns the weight of the elements before a position.
  ///
  /// - Complexity: O(log n)
  func weight(before position: Int) -> Int {
    var node = root
    var position = position
    var weight = 0
    while !node.isLeaf {
      let child = Self.child(of: node, holding: &position)
      for index in 0..<child { weight += node.weights[index] }
      node = node.children[child]
    }
    for index in 0..<position { weight += node.weight(at: index) }
    return weight
  }

  /// Returns the position of the element that holds a position among all weights, and the part of
  /// that position that is within the element.
  ///
  /// - Complexity: O(log n)
  func position(ofWeight weight: Int) -> (position: Int, rest: Int) {
    let found = find(weight)
    return (found.position, found.rest)
  }

  /// Returns the element that holds a position among all weights.
  ///
  /// - Complexity: O(log n)
  func element(atWeight weight: Int) -> Element {
    let found = find(weight)
    return found.leaf.elements[found.index]
  }

  private func find(_ weight: Int) -> (leaf: Node, index: Int, position: Int, rest: Int) {
    var node = root
    var rest = weight
    var position = 0
    while true {
      var index = 0
      while index < node.width - 1, rest >= node.weight(at: index) {
        rest -= node.weight(at: index)
        position += node.isLeaf ? 1 : node.counts[index]
        index += 1
      }
      if node.isLeaf { return (node, index, position, rest) }
      node = node.children[index]
    }
  }

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

  /// Returns the child that holds a position, and changes `position` to the one within that child.
  static func child(of node: Node, holding position: inout Int) -> Int {
    var child = 0
    while child < node.counts.count - 1, position >= node.counts[child] {
      position -= node.counts[child]
      child += 1
    }
    return child
  }

  /// Returns the first position whose element meets `condition`.
  ///
  /// All later elements must meet it, too.
  ///
  /// - Complexity: O(log n) calls of `condition`.
  func partitioningIndex(where condition: (Element) throws -> Bool) rethrows -> Int {
    var node = root
    var position = 0
    while true {
      var low = 0
      // In an inner node this is the first child whose last element meets the condition, or else
      // the last child.
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
}
