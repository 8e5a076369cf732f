/// A version of a vector, whose nodes live at least as long as this object.
final class UnsafeVectorVersion: @unchecked Sendable {
  // @unchecked: the entry is read and changed under the tree's lock. Its root and shift are also
  // changed without it by the only holder, while no other version can end that is compared with it.
  let tree: UnsafeVersionTree
  let entry: UnsafeVersionTree.Entry

  /// Creates the first version of a vector.
  init(_ root: UnsafeVectorNode, _ shift: Int) {
    (tree, entry) = UnsafeVersionTree.make(root, shift)
  }

  /// Creates a version that is as `parent` is, until it is changed.
  ///
  /// - Precondition: the tree's lock is held.
  init(after parent: UnsafeVectorVersion) {
    tree = parent.tree
    entry = tree.add(after: parent.entry)
  }

  deinit { tree.end(entry) }
}
