extension CountedTree {
  #if INTERNAL_CHECKS
  /// Checks that counts add up, that no node except the root is narrow, and that all leaves are
  /// level.
  func checkInvariants() { _ = Self.check(root, isRoot: true) }

  private static func check(_ node: Node, isRoot: Bool) -> Int {
    precondition(isRoot || node.width >= narrowest, "A node of a CountedTree is narrow")
    precondition(node.width <= widest, "A node of a CountedTree is too wide")
    guard !node.isLeaf else {
      precondition(node.count == node.elements.count, "A leaf's count is wrong")
      precondition(
        node.weight == node.elements.reduce(0) { $0 + $1.weight }, "A leaf's weight is wrong")
      precondition(node.counts.isEmpty && node.weights.isEmpty, "A leaf counts children")
      return 0
    }
    precondition(node.elements.isEmpty, "An inner node has elements")
    precondition(node.counts.elementsEqual(node.children.map(\.count)), "Counts are wrong")
    precondition(node.weights.elementsEqual(node.children.map(\.weight)), "Weights are wrong")
    precondition(node.weight == node.weights.reduce(0, +), "A node's weight is wrong")
    precondition(node.count == node.counts.reduce(0, +), "A node's count is wrong")
    let depths = Set(node.children.map { check($0, isRoot: false) })
    precondition(depths.count == 1, "Leaves are not level")
    return 1 + (depths.first ?? 0)
  }
  #else
  /// Does nothing unless the trait `InternalChecks` is on.
  @inline(__always) func checkInvariants() {}
  #endif
}
