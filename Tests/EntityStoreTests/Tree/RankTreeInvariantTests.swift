import TestSupport
import Testing

@testable import EntityStore

/// That the checks, on which the other tests rely, find what is broken.
@Suite struct RankTreeInvariantTests {
  private let tree = CheckedTree(distinct(100), widths: .narrow).tree

  /// An inner node above leaves.
  private var parent: UnsafeRankFields {
    var node = tree.root.fields
    while node.height > 1 { node = node.child(at: 1) }
    return node
  }

  @Test func `A sound tree has no broken invariant`() {
    #expect(tree.brokenInvariant() == nil)
  }

  @Test func `A wrong count of the tree is found`() {
    let wrong = RankTree(root: tree.root, count: 99, widths: .narrow)
    #expect(wrong.brokenInvariant() == "The count of a RankTree is wrong")
  }

  @Test func `A wrong count of a child is found`() {
    parent.counts[0] += 1
    parent.counts[1] -= 1
    #expect(tree.brokenInvariant() == "The count of a child is wrong")
  }

  @Test func `A wrong last entry of a child is found`() {
    parent.entries[1] = parent.entries[0]
    #expect(tree.brokenInvariant() == "The last entry of a child is wrong")
  }

  @Test func `A root with one child is found`() {
    let root = UnsafeRankNode.make(height: tree.root.height + 1, capacity: 4)
    root.fields.insert(tree.root, at: 0)
    let wrong = RankTree(root: root, count: 100, widths: .narrow)
    #expect(wrong.brokenInvariant() == "A root has one child only")
  }

  @Test func `Leaves that aren't level are found`() {
    let root = UnsafeRankNode.make(height: tree.root.height + 1, capacity: 4)
    root.fields.insert(tree.root, at: 0)
    root.fields.insert(CheckedTree(distinct(4), widths: .narrow).tree.root, at: 1)
    let wrong = RankTree(root: root, count: 104, widths: .narrow)
    #expect(wrong.brokenInvariant() == "Leaves aren't level")
  }

  @Test func `A narrow node is found`() {
    let leaf = UnsafeRankNode.make(height: 0, capacity: 4)
    leaf.fields.insert(entry(200), at: 0)
    let root = UnsafeRankNode.make(height: 1, capacity: 4)
    root.fields.insert(parent.children[0], at: 0)
    root.fields.insert(leaf, at: 1)
    let wrong = RankTree(root: root, count: root.fields.countOfEntries, widths: .narrow)
    #expect(wrong.brokenInvariant() == "A node is too narrow")
  }

  @Test func `A node that is too wide is found`() {
    let leaf = UnsafeRankNode.make(height: 0, capacity: 4)
    leaf.fields.width = 5
    let wrong = RankTree(root: leaf, count: 5, widths: .narrow)
    #expect(wrong.brokenInvariant() == "A node is too wide")
    leaf.fields.width = 0
  }

  @Test func `Wrong capacities are found`() {
    let leaves = RankTree(root: tree.root, count: 100, widths: RankNodeWidths(leaf: 5, inner: 4))
    #expect(leaves.brokenInvariant() == "A leaf has the wrong capacity")
    let inner = RankTree(root: tree.root, count: 100, widths: RankNodeWidths(leaf: 4, inner: 5))
    #expect(inner.brokenInvariant() == "An inner node has the wrong capacity")
  }

  #if INTERNAL_CHECKS
  @Test func `A broken invariant stops a test run with the trait InternalChecks`() async {
    await #expect(processExitsWith: .failure) {
      RankTree(root: RankTree().root, count: 1, widths: .standard).checkInvariants()
    }
  }
  #endif
}
