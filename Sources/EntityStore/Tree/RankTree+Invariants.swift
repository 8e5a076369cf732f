extension RankTree {
  #if INTERNAL_CHECKS
  package func checkInvariants() {
    if let broken = brokenInvariant() { preconditionFailure(broken) }
  }
  #else
  /// Does nothing, unless the trait `InternalChecks` is on.
  @inline(__always) package func checkInvariants() {}
  #endif

  /// Returns a sentence about an invariant that doesn't hold, or nil.
  ///
  /// - Complexity: O(*m*), where *m* is the number of nodes.
  package func brokenInvariant() -> String? {
    withExtendedLifetime(root) {
      if root.fields.countOfEntries != count { return "The count of a RankTree is wrong" }
      if !root.fields.isLeaf && root.fields.width < 2 { return "A root has one child only" }
      return brokenInvariant(in: root.fields, isRoot: true)
    }
  }

  private func brokenInvariant(in node: UnsafeRankFields, isRoot: Bool) -> String? {
    if node.width > node.capacity { return "A node is too wide" }
    if node.isNarrow && !isRoot { return "A node is too narrow" }
    guard !node.isLeaf else {
      let fits = isRoot ? node.capacity <= widths.leaf : node.capacity == widths.leaf
      return fits ? nil : "A leaf has the wrong capacity"
    }
    if node.capacity != widths.inner { return "An inner node has the wrong capacity" }
    for index in 0..<node.width {
      let child = node.child(at: index)
      if child.height != node.height - 1 { return "Leaves aren't level" }
      if node.counts[index] != child.countOfEntries { return "The count of a child is wrong" }
      if let broken = brokenInvariant(in: child, isRoot: false) { return broken }
      if node.entries[index] != child.last { return "The last entry of a child is wrong" }
    }
    return nil
  }
}
