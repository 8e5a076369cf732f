extension KeptTree {
  #if INTERNAL_CHECKS
  /// Checks that the counts are right, that no node except the root is narrow, and that all leaves
  /// are level.
  func checkInvariants() { _ = Self.check(root, isRoot: true) }

  private static func check(_ node: Node, isRoot: Bool) -> Int {
    precondition(isRoot || node.width >= narrowest, "A node of a KeptTree is narrow")
    precondition(node.width <= widest, "A node of a KeptTree is too wide")
    let (count, kept) = (node.count, node.keptCount)
    node.tally()
    precondition(node.count == count && node.keptCount == kept, "Counts are wrong")
    guard !node.isLeaf else { return 0 }
    precondition(node.elements.isEmpty, "An inner node has elements")
    let depths = Set(node.children.map { check($0, isRoot: false) })
    precondition(depths.count == 1, "Leaves are not level")
    return 1 + (depths.first ?? 0)
  }
  #else
  /// Does nothing, because the trait `InternalChecks` is off.
  @inline(__always) func checkInvariants() {}
  #endif
}
