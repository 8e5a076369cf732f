import TestSupport
import Testing

@testable import EntityStore

@Suite(.oneThread) struct RankTreeKeyTests {
  /// Entries whose prefixes each come `run` times; slots ascend.
  private func runs(_ count: Int, of run: Int) -> [RankEntry] {
    (0..<count).map { RankEntry(prefix: UInt64($0 / run) * 10 + 10, slot: UInt32($0)) }
  }

  @Test func `A key is found wherever it is`() {
    withEvery("widths", in: RankNodeWidths.all) { widths in
      withEvery("run", in: [1, 2, 3, 7, 8, 9, 200]) { run in
        withEvery("count", in: [0, 1, 4, 5, 17, 70]) { count in
          let checked = CheckedTree(runs(count, of: run), widths: widths)
          for prefix in stride(from: 5, through: UInt64(count / run) * 10 + 25, by: 5) {
            for slot in -1...count {
              let expected =
                checked.entries.firstIndex {
                  $0.prefix != prefix ? $0.prefix > prefix : $0.slot > slot
                } ?? count
              expectEqual(checked.tree.rank(of: prefix) { $0 > slot }, expected)
            }
          }
        }
      }
    }
  }

  @Test func `An entry goes before the first that isn't before it, at any place`() {
    withEvery("widths", in: [RankNodeWidths.narrow, RankNodeWidths(leaf: 5, inner: 7)]) { widths in
      withEvery("run", in: [1, 3, 8, 100]) { run in
        withEvery("count", in: [0, 1, 4, 5, 12, 17, 48]) { count in
          let checked = CheckedTree(runs(count, of: run), widths: widths)
          for rank in 0...count {
            let same = checked.entries[..<rank].last?.prefix ?? 10
            let next = checked.entries[rank...].first?.prefix ?? same
            for prefix in Set([same, (same + next) / 2, next]) {
              let entry = RankEntry(prefix: prefix, slot: 1000)
              var changed = checked
              expectEqual(changed.tree.insert(entry) { $0 >= rank }, rank)
              changed.entries.insert(entry, at: rank)
              changed.check()
              expectEqual(changed.tree.remove(entry) { $0 >= rank }, rank)
              changed.entries.remove(at: rank)
              changed.check()
            }
          }
          checked.check()
        }
      }
    }
  }

  @Test func `Only the very entry is removed`() {
    var checked = CheckedTree(runs(100, of: 4), widths: .narrow)
    withEvery("slot", in: 0..<100 as Range<UInt32>) { slot in
      let entry = checked.entries[Int(slot)]
      let others = [
        RankEntry(prefix: entry.prefix, slot: slot + 1000),
        RankEntry(prefix: entry.prefix + 1, slot: slot),
        RankEntry(prefix: entry.prefix - 1, slot: slot),
      ]
      for other in others { expectEqual(checked.tree.remove(other) { $0 >= slot }, nil) }
      expectEqual(checked.tree.remove(entry) { $0 > slot }, nil)
      checked.check()
    }
    #expect(checked.tree.remove(RankEntry(prefix: .max, slot: 0)) { _ in true } == nil)
    checked.check()
  }

  @Test func `Only slots with the same prefix are asked about, and few of them`() {
    var tree = RankTree(sorted: runs(20_000, of: 1000))
    func expectFewAsked(_ use: ((UInt32) -> Bool) -> Void) {
      var asked = 0
      use {
        asked += 1
        #expect($0 / 1000 == 7)
        return $0 >= 7500
      }
      #expect((1...14).contains(asked))
    }
    let entry = RankEntry(prefix: 80, slot: 7500)
    expectFewAsked { condition in #expect(tree.rank(of: 80) { condition($0) } == 7500) }
    expectFewAsked { condition in #expect(tree.remove(entry) { condition($0) } == 7500) }
    expectFewAsked { condition in #expect(tree.insert(entry) { condition($0) } == 7500) }
    // Nobody is asked about a prefix that no entry has.
    #expect(tree.rank(of: 85) { _ in neverAsked() } == 8000)
    #expect(tree.remove(RankEntry(prefix: 85, slot: 1)) { _ in neverAsked() } == nil)
    #expect(tree.insert(RankEntry(prefix: 85, slot: 1)) { _ in neverAsked() } == 8000)
  }

  private func neverAsked() -> Bool {
    Issue.record("Somebody was asked")
    return true
  }

  @Test func `A condition that throws leaves the tree as it was`() {
    withEvery("count", in: [1, 4, 5, 17, 64, 200]) { count in
      var checked = CheckedTree(runs(count, of: 1000), widths: .narrow)
      let copy = checked
      withEvery("calls", in: 1...8) { calls in
        for rank in 0...count {
          let entry = RankEntry(prefix: 10, slot: UInt32(rank))
          var asked = 0
          func condition(_ slot: UInt32) throws -> Bool {
            asked += 1
            if asked == calls { throw Mistake() }
            return slot >= rank
          }
          let inserts = Result { try checked.tree.insert(entry, where: condition) }
          if case .success = inserts { checked = copy } else { checked.check() }
          asked = 0
          let removes = Result { try checked.tree.remove(entry, where: condition) }
          if case .success = removes { checked = copy } else { checked.check() }
        }
      }
      copy.check()
    }
  }
}
