import TestSupport
import Testing

@testable import EntityStore

@Suite(.oneThread) struct RankTreeChangingTests {
  @Test func `It does what an array does, whatever happens first`() {
    explore(CheckedTree([], widths: .narrow), steps: 7, next: 0)
  }

  @Test func `It does what an array does, whatever happens to trees of small sizes`() {
    withEvery("count", in: 0...24) { count in
      explore(CheckedTree(distinct(count), widths: .narrow), steps: 2, next: count)
    }
    withEvery("count", in: 3...11) { count in
      explore(CheckedTree(distinct(count), widths: .narrow), steps: 3, next: count)
    }
  }

  /// Takes all steps one after the other; `checked` stays and has to stay as it is.
  private func explore(_ checked: CheckedTree, steps: Int, next: Int) {
    checked.check()
    guard steps > 0 else { return }
    withEvery("step", in: Step.all(count: checked.entries.count)) { step in
      var changed = checked
      changed.take(step, inserting: entry(next))
      explore(changed, steps: steps - 1, next: next + 1)
    }
    checked.check()
  }

  @Test func `It does what an array does if no other tree holds its nodes`() {
    withEvery("count", in: 0...40) { count in
      withEvery("first", in: Step.all(count: count)) { first in
        withEvery("second", in: Step.all(count: count + first.difference)) { second in
          var checked = CheckedTree(distinct(count), widths: .narrow)
          checked.take(first, inserting: entry(count))
          checked.take(second, inserting: entry(count + 1))
          checked.check()
        }
      }
    }
  }

  @Test func `All entries can be removed in any pattern`() {
    withEvery("widths", in: RankNodeWidths.all) { widths in
      withEvery("count", in: [1, 4, 5, 16, 17, 100, 700]) { count in
        let patterns: [(String, (Int) -> Int)] = [
          ("first", { _ in 0 }), ("last", { $0 - 1 }), ("middle", { $0 / 2 }),
          ("last but one", { max($0 - 2, 0) }), ("second", { min(1, $0 - 1) }),
          ("ends", { $0 % 2 == 0 ? 0 : $0 - 1 }), ("third", { $0 / 3 }),
        ]
        for (name, rank) in patterns {
          withEvery("pattern", in: [name]) { _ in
            var checked = CheckedTree(distinct(count), widths: widths)
            let original = checked
            while !checked.entries.isEmpty {
              checked.remove(at: rank(checked.entries.count))
              checked.checkSoundness()
              if checked.entries.count % 16 == 0 { checked.check() }
            }
            expectTrue(checked.tree.root.isLeaf)
            checked.insert(entry(1), at: 0)
            checked.check()
            original.check()
          }
        }
      }
    }
  }

  @Test func `Entries can be inserted in any pattern`() {
    withEvery("widths", in: RankNodeWidths.all) { widths in
      let patterns: [(String, (Int) -> Int)] = [
        ("first", { _ in 0 }), ("last", { $0 }), ("middle", { $0 / 2 }),
        ("last but one", { max($0 - 1, 0) }), ("second", { min(1, $0) }),
        ("ends", { $0 % 2 == 0 ? 0 : $0 }),
      ]
      for (name, rank) in patterns {
        withEvery("pattern", in: [name]) { _ in
          var checked = CheckedTree([], widths: widths)
          for number in 0..<700 {
            checked.insert(entry(number), at: rank(number))
            checked.checkSoundness()
            if number % 16 == 0 { checked.check() }
          }
          checked.check()
        }
      }
    }
  }

  @Test func `Nodes are well filled by insertions in any order`() {
    func share(_ count: Int, _ rank: (Int) -> Int) -> Double {
      var tree = RankTree()
      for number in 0..<count { tree.insert(entry(number), at: rank(number)) }
      let leaves = tree.nodes.filter(\.isLeaf)
      return Double(count) / Double(leaves.count * 128)
    }
    #expect(share(10_000) { $0 } > 0.7)
    #expect(share(10_000) { _ in 0 } > 0.7)
    var random = SeededGenerator(number: 1)
    #expect(share(10_000) { Int.random(in: 0...$0, using: &random) } > 0.6)
  }
}
