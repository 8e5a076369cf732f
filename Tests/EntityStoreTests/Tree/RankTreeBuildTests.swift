import TestSupport
import Testing

@testable import EntityStore

@Suite(.oneThread) struct RankTreeBuildTests {
  @Test func `A tree of any size is as it was built`() {
    withEvery("widths", in: RankNodeWidths.all) { widths in
      withEvery("count", in: 0...500) { count in
        CheckedTree(distinct(count), widths: widths).check()
      }
    }
  }

  @Test func `Large trees are as they were built`() {
    withEvery("widths", in: RankNodeWidths.all) { widths in
      withEvery("count", in: [2352, 2353, 2464, 2465, 10_000, 50_000]) { count in
        CheckedTree(distinct(count), widths: widths).check()
      }
    }
  }

  @Test func `A tree can be built of any sequence`() {
    withEvery("count", in: [0, 1, 3, 4, 5, 111, 112, 113, 224, 300]) { count in
      let entries = distinct(count)
      // One can be gone through only once, and neither is in one piece.
      var iterator = entries.makeIterator()
      expectEqual(RankTree(sorted: AnyIterator { iterator.next() }).entries, entries)
      expectEqual(RankTree(sorted: entries.reversed().reversed().lazy.map { $0 }).entries, entries)
      expectEqual(RankTree(sorted: ContiguousArray(entries)).entries, entries)
      expectEqual(RankTree(sorted: entries).entries, entries)
    }
  }

  @Test func `An empty tree has no entries`() {
    let tree = RankTree()
    #expect(tree.isEmpty)
    #expect(tree.count == 0)
    #expect(tree.entries.isEmpty)
    #expect(tree.partitioningIndex { _ in true } == 0)
    #expect(tree.rank(of: 3) { _ in true } == 0)
    #expect(tree.brokenInvariant() == nil)
    #expect(!RankTree(sorted: distinct(1)).isEmpty)
  }

  @Test func `A small tree takes little memory`() {
    #expect(RankTree().root.room == 4)
    #expect(RankTree(sorted: distinct(5)).root.room == 8)
    var tree = RankTree()
    var capacities: Set<Int> = []
    for number in 0..<128 {
      tree.insert(entry(number), at: number)
      capacities.insert(tree.root.room)
    }
    #expect(capacities == [4, 8, 16, 32, 64, 128])
    #expect(tree.root.isLeaf)
  }

  @Test func `Nodes of a tree that is built at once are nearly full`() {
    let tree = RankTree(sorted: distinct(100_000))
    let leaves = tree.nodes.filter(\.isLeaf)
    #expect(Double(tree.count) / Double(leaves.count * 128) > 0.85)
    #expect(tree.root.height == 3)
  }

  @Test func `Nodes may be as wide as 1024`() {
    let widest = RankNodeWidths(leaf: 1024, inner: 1024)
    CheckedTree(distinct(5000), widths: widest).check()
  }
}
