import TestSupport
import Testing

@testable import EntityStore

@Suite struct RankTreeLifetimeTests {
  /// The nodes that trees had at some time.
  private final class Witness {
    private struct Trace {
      weak var node: UnsafeRankNode?
    }

    private var traces: [ObjectIdentifier: Trace] = [:]

    func see(_ tree: RankTree) {
      for node in tree.nodes where traces[ObjectIdentifier(node)]?.node == nil {
        traces[ObjectIdentifier(node)] = Trace(node: node)
        seen += 1
      }
    }

    /// How many nodes have been seen.
    private(set) var seen = 0

    /// The nodes that are alive.
    var alive: Set<ObjectIdentifier> {
      Set(traces.filter { $0.value.node != nil }.keys)
    }
  }

  @Test(.oneThread) func `No node outlives its trees`() {
    withEvery("widths", in: RankNodeWidths.all) { widths in
      let witness = Witness()
      do {
        var tree = CheckedTree(distinct(1000), widths: widths).tree
        var copies: [RankTree] = []
        var random = SeededGenerator(number: 1)
        for step in 0..<2000 {
          if random.chance(step < 1000 ? 0.2 : 0.8) {
            tree.insert(entry(step), at: Int.random(in: 0...tree.count, using: &random))
          } else {
            tree.remove(at: Int.random(in: 0..<tree.count, using: &random))
          }
          if random.chance(0.02) { copies.append(tree) }
          if random.chance(0.02), !copies.isEmpty { copies.removeFirst() }
          witness.see(tree)
        }
        tree.update(removing: Array(0..<tree.count / 2), inserting: [])
        witness.see(tree)
        expectTrue(witness.alive.isSuperset(of: tree.identities))
      }
      expectTrue(witness.seen > 20)
      expectEqual(witness.alive, [])
    }
  }

  @Test(.oneThread) func `Only the nodes of trees that are still there are alive`() {
    withEvery("widths", in: RankNodeWidths.all) { widths in
      let witness = Witness()
      var tree = CheckedTree(distinct(1000), widths: widths).tree
      var random = SeededGenerator(number: 2)
      for step in 0..<1500 {
        // Each copy lives for one change.
        let copy = tree
        if step % 500 < 300 {
          tree.remove(at: Int.random(in: 0..<tree.count, using: &random))
        } else {
          tree.insert(entry(step), at: Int.random(in: 0...tree.count, using: &random))
        }
        witness.see(tree)
        if step % 50 == 0 {
          witness.see(copy)
          expectEqual(witness.alive, tree.identities.union(copy.identities))
        }
      }
      expectEqual(witness.alive, tree.identities)
      tree = RankTree()
      expectEqual(witness.alive, [])
    }
  }

  @Test func `Removing everything leaves one node`() {
    let witness = Witness()
    var tree = CheckedTree(distinct(500), widths: .narrow).tree
    witness.see(tree)
    while !tree.isEmpty {
      tree.remove(at: tree.count / 2)
      witness.see(tree)
    }
    #expect(witness.alive == [ObjectIdentifier(tree.root)])
  }

  @Test func `Nodes of a deep tree end without deep recursion`() {
    let witness = Witness()
    do {
      let tree = CheckedTree(distinct(20_000), widths: .narrow).tree
      witness.see(tree)
      #expect(tree.root.height < 12)
    }
    #expect(witness.alive == [])
  }
}
