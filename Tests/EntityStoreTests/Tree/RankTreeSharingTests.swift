import TestSupport
import Testing

@testable import EntityStore

@Suite(.oneThread) struct RankTreeSharingTests {
  @Test func `A copy has the nodes of the original`() {
    let tree = RankTree(sorted: distinct(10_000))
    let copy = tree
    #expect(copy.root === tree.root)
  }

  /// As many entries as fill all leaves of a tree that is built at once, so that a change of one
  /// neither splits nor joins any.
  private let count = 2352

  /// Pairs of changes of which the second undoes the first.
  private func changes(at rank: Int) -> [[(inout RankTree) -> Void]] {
    [
      [{ $0.insert(entry(rank), at: rank) }, { $0.remove(at: rank) }],
      [{ $0.remove(at: rank) }, { $0.insert(entry(rank), at: rank) }],
      [{ $0.insert(entry(rank)) { $0 >= rank } }, { $0.remove(entry(rank)) { $0 >= rank } }],
      [{ $0.remove(entry(rank)) { $0 >= rank } }, { $0.insert(entry(rank)) { $0 >= rank } }],
    ]
  }

  @Test func `Changing a tree makes no new nodes if it holds them alone`() {
    withEvery("widths", in: RankNodeWidths.all) { widths in
      withEvery("rank", in: [0, 777, 2351]) { rank in
        var checked = CheckedTree(distinct(count), widths: widths)
        let before = checked.tree.identities
        for change in changes(at: rank).joined() {
          change(&checked.tree)
          expectTrue(checked.tree.identities == before)
        }
        checked.check()
      }
    }
  }

  @Test func `A small tree changes in place unless it's full`() {
    var tree = RankTree(sorted: distinct(5))
    let before = tree.identities
    for number in 5..<8 { tree.insert(entry(number), at: number) }
    #expect(tree.identities == before)
    tree.remove(at: 3)
    tree.insert(entry(3)) { $0 >= 3 }
    #expect(tree.identities == before)
    tree.insert(entry(8), at: 8)
    #expect(tree.identities != before)
    #expect(tree.entries == distinct(9))
  }

  @Test func `Changing a copy makes new nodes on one way from the root to a leaf`() {
    withEvery("widths", in: RankNodeWidths.all) { widths in
      withEvery("rank", in: [0, 777, 2351]) { rank in
        for change in changes(at: rank) {
          let original = CheckedTree(distinct(count), widths: widths)
          let before = original.tree.identities
          var changed = original
          change[0](&changed.tree)
          let after = changed.tree.identities
          expectEqual(after.subtracting(before).count, changed.tree.root.height + 1)
          original.check()
          // The new nodes belong to the changed tree alone.
          change[1](&changed.tree)
          expectTrue(changed.tree.identities == after)
          changed.check()
          original.check()
        }
      }
    }
  }

  @Test func `Reading makes no new nodes and keeps none`() {
    var tree = RankTree(sorted: distinct(2000))
    let before = tree.identities
    _ = tree[700]
    _ = tree.rank(of: 700) { _ in true }
    _ = tree.partitioningIndex { $0.slot > 700 }
    tree.forEach { _ in }
    tree.remove(at: 700)
    #expect(tree.identities == before)
  }

  @Test func `Neighbours that two trees hold stay as they are when nodes join`() {
    withEvery("count", in: 5...40) { count in
      withEvery("rank", in: 0..<count) { rank in
        // The copy is taken when its nodes are just not narrow yet.
        var checked = CheckedTree(distinct(count), widths: .narrow)
        var copies: [CheckedTree] = []
        while checked.entries.count > 1 {
          copies.append(checked)
          checked.remove(at: min(rank, checked.entries.count - 1))
          checked.check()
        }
        for copy in copies { copy.check() }
      }
    }
  }
}
