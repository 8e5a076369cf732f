import TestSupport
import Testing

@testable import EntityStore

@Suite(.oneThread) struct RankTreeUpdateTests {
  @Test func `Any small update does what it would do to an array`() {
    withEvery("count", in: 0...6) { count in
      let checked = CheckedTree(distinct(count), widths: .narrow)
      withEvery("removals", in: subsets(of: Array(0..<count))) { removals in
        for added in 0...3 {
          let ranks = subsets(of: Array(0..<count - removals.count + added))
          withEvery("ranks of insertions", in: ranks.filter { $0.count == added }) { ranks in
            let insertions = ranks.map { (rank: $0, entry: entry(100 + $0)) }
            expectSame(checked, removing: removals, inserting: insertions)
          }
        }
      }
      checked.check()
    }
  }

  @Test func `Updates of any share of a tree do what they would do to an array`() {
    var random = SeededGenerator(number: 1)
    withEvery("widths", in: RankNodeWidths.all) { widths in
      // Wide nodes take more entries to have nodes above nodes above leaves.
      let largest = widths.leaf < 64 ? 1000 : 5000
      withEvery("count", in: [1, 17, 130, largest]) { count in
        let checked = CheckedTree(distinct(count), widths: widths)
        withEvery("share", in: [0, 0.002, 0.02, 0.2, 0.7, 1]) { share in
          let removals = (0..<count).filter { _ in random.chance(share) }
          let added = Int(Double(count) * share)
          let ranks = Array(0..<count - removals.count + added).shuffled(using: &random)
          let insertions = ranks.prefix(added).sorted().map {
            (rank: $0, entry: entry(count + $0))
          }
          expectSame(checked, removing: removals, inserting: insertions)
          expectSame(checked, removing: removals, inserting: [])
          expectSame(checked, removing: [], inserting: (0..<added).map { ($0, entry($0)) })
        }
        checked.check()
      }
    }
  }

  /// Makes an update in each way.
  private func expectSame(
    _ checked: CheckedTree, removing removals: [Int], inserting insertions: [RankTree.Insertion]
  ) {
    var expected = checked.entries
    for rank in removals.reversed() { expected.remove(at: rank) }
    for insertion in insertions { expected.insert(insertion.entry, at: insertion.rank) }
    let ways: [(inout RankTree) -> Void] = [
      { $0.update(removing: removals, inserting: insertions) },
      { $0.change(removing: removals, inserting: insertions) },
      { $0.rebuild(removing: removals, inserting: insertions) },
    ]
    for way in ways {
      var changed = checked
      way(&changed.tree)
      changed.entries = expected
      changed.check()
    }
  }

  @Test func `A small update of a large tree leaves most nodes shared`() {
    var tree = RankTree(sorted: distinct(100_000))
    let before = tree.identities
    tree.update(
      removing: [100, 50_000],
      inserting: [(rank: 7, entry: entry(1)), (rank: 99_000, entry: entry(2))])
    #expect(tree.identities.subtracting(before).isEmpty)
    let copy = tree
    tree.update(removing: [5], inserting: [])
    #expect(copy.identities.subtracting(tree.identities).count == tree.root.height + 1)
  }

  @Test func `A large update packs the nodes`() {
    var tree = RankTree(sorted: distinct(10_000))
    tree.update(removing: Array(stride(from: 0, to: 10_000, by: 2)), inserting: [])
    let leaves = tree.nodes.filter(\.isLeaf)
    #expect(Double(tree.count) / Double(leaves.count * 128) > 0.85)
  }
}
