import TestSupport
import Testing

@testable import EntityStore

@Suite(.oneThread) struct RankTreeReadingTests {
  @Test func `Iterating gives the entries of any range, in order`() {
    withEvery("widths", in: RankNodeWidths.all) { widths in
      withEvery("count", in: [0, 1, 4, 5, 16, 17, 40]) { count in
        let checked = CheckedTree(distinct(count), widths: widths)
        withEvery("lower", in: 0...count) { lower in
          withEvery("upper", in: lower...count) { upper in
            var found: [RankEntry] = []
            checked.tree.forEach(in: lower..<upper) { found.append($0) }
            expectEqual(found, Array(checked.entries[lower..<upper]))
          }
        }
      }
    }
  }

  @Test func `Iterating gives the entries of ranges that many nodes have part in`() {
    withEvery("widths", in: RankNodeWidths.all) { widths in
      let checked = CheckedTree(distinct(3000), widths: widths)
      var random = SeededGenerator(number: 1)
      for _ in 0..<200 {
        let lower = Int.random(in: 0...3000, using: &random)
        let upper = Int.random(in: lower...3000, using: &random)
        var found: [RankEntry] = []
        checked.tree.forEach(in: lower..<upper) { found.append($0) }
        expectTrue(found == Array(checked.entries[lower..<upper]), "\(lower..<upper)")
      }
    }
  }

  @Test func `Pieces of any length make up the whole`() {
    withEvery("count", in: [0, 1, 4, 5, 17, 40]) { count in
      withEvery("length", in: 1...7) { length in
        let checked = CheckedTree(distinct(count), widths: .narrow)
        withEvery("range", in: [0..<count, 0..<count / 2, count / 3..<count]) { range in
          var spans = UnsafeRankSpans(of: checked.tree, in: range)
          var found: [RankEntry] = []
          while let span = spans.next(atMost: length) {
            expectTrue(span.count <= length && !span.isEmpty)
            found += span
            expectEqual(spans.rank, range.lowerBound + found.count)
          }
          expectEqual(found, Array(checked.entries[range]))
        }
        withExtendedLifetime(checked) {}
      }
    }
  }

  @Test func `Iterating ends with the first error`() {
    let tree = RankTree(sorted: distinct(1000))
    var found = 0
    #expect(throws: Refusal.self) {
      try tree.forEach { _ in
        found += 1
        if found == 500 { throw Refusal() }
      }
    }
    #expect(found == 500)
  }

  @Test func `Iterating continues over the old tree when the variable changes`() {
    final class Owner {
      var tree = RankTree(sorted: distinct(300))
    }
    let owner = Owner()
    var found: [RankEntry] = []
    owner.tree.forEach {
      found.append($0)
      owner.tree = RankTree()
    }
    #expect(found == distinct(300))
    #expect(owner.tree.isEmpty)
  }

  @Test func `A search asks about few entries`() {
    let tree = RankTree(sorted: distinct(100_000))
    for rank in stride(from: 0, through: 100_000, by: 997) {
      var asked = 0
      let found = tree.partitioningIndex {
        asked += 1
        return $0.slot >= rank
      }
      #expect(found == rank)
      #expect(asked <= 20)
    }
  }

  @Test func `A search ends with the first error`() {
    let tree = RankTree(sorted: distinct(1000))
    for last in 1...8 {
      var asked = 0
      #expect(throws: Refusal.self) {
        try tree.partitioningIndex { _ in
          asked += 1
          if asked == last { throw Refusal() }
          return false
        }
      }
      #expect(asked == last)
    }
  }
}
