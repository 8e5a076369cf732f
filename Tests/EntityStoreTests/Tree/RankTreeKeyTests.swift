import TestSupport
import Testing

@testable import EntityStore

@Suite(.oneThread) struct RankTreeKeyTests {
  /// Entries whose prefixes each come `run` times; slots ascend.
  private func runs(_ count: Int, of run: Int) -> [RankEntry] {
    (0..<count).map { RankEntry(prefix: UInt64($0 / run) * 10 + 10, slot: UInt32($0)) }
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
            if asked == calls { throw Refusal() }
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
