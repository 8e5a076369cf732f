import TestSupport
import Testing

@testable import ListDiffing

@Suite struct `Rows that keep their positions` {
  /// The most rows that can stay, and of so many the most that have one position in both lists.
  private func best(_ rows: [(old: Int, new: Int)]) -> (count: Int, inPlace: Int) {
    var all: [(count: Int, inPlace: Int)] = []
    for row in rows.indices {
      var own = (count: 0, inPlace: 0)
      for other in 0..<row where rows[other].old < rows[row].old && all[other] > own {
        own = all[other]
      }
      all.append((own.count + 1, own.inPlace + (rows[row].old == rows[row].new ? 1 : 0)))
    }
    return all.max { $0 < $1 } ?? (0, 0)
  }

  /// Checks that no difference has fewer moves, and none with as few has fewer from a place to the same one.
  private func check(_ old: [Int], _ new: [Int]) {
    let diff = ListDiff(from: old, to: new)
    var list = old
    diff.changes.apply(to: &list) { new[$0.row] }
    expectEqual(list, new)
    let rows = new.enumerated().compactMap { position, row in
      old.firstIndex(of: row).map { (old: $0, new: position) }
    }
    let best = best(rows)
    expectEqual(diff.changes.moves.count, rows.count - best.count, "moves")
    expectEqual(
      diff.changes.moves.filter { $0.old == $0.new }.count,
      rows.filter { $0.old == $0.new }.count - best.inPlace, "moves from a place to the same one")
  }

  @Test func `D4 Of the choices with the fewest moves one has the fewest to where a row was`() {
    for count in 0...7 {
      let old = Array(0..<count)
      withEvery("new", in: permutations(of: old)) { check(old, $0) }
    }
  }

  @Test func `D4 A list that is turned round moves no row to where it was`() throws {
    for count in [3, 5, 7, 51, 101, 1001] {
      let old = Array(0..<count)
      let diff = ListDiff(from: old, to: Array(old.reversed()))
      expectEqual(diff.changes.moves.count, count - 1)
      #expect(diff.changes.moves.allSatisfy { $0.old != $0.new })
      let passes = ListPresentation(of: diff).passes
      #expect(passes.allSatisfy { $0.deletes.isEmpty && $0.inserts.isEmpty })
    }
  }

  @Test func `D4 Rows that follow each other are one run, also if each was found by itself`() {
    let kept = Array(1000..<1130)
    let moved = Array(2000..<2062)
    let first = Array(3000..<3031)
    let second = Array(4000..<4031)
    let old = [1] + kept + moved + first + [2] + second + Array(5000..<5062)
    let new = [11] + kept + Array(6000..<6062) + first + [12] + second + moved
    check(old, new)
  }

  @Test func `D4 Values at their positions are kept, however many follow each other`() {
    let start = Array(0..<66)
    let marks = longestIncreasingSubsequence(
      of: start + [68, 69, 66, 67], at: start + [68, 69, 70, 71])
    expectEqual(marks.suffix(4), [true, true, false, false])
  }

  @Test func `D4 So do rows among others that come and go, up to 64 runs`() {
    withEvery("seed", in: seeds(400)) { seed in
      var generator = SeededGenerator(seed: seed)
      let old = Array(0..<Int.random(in: 1...60, using: &generator))
      var new = old.filter { _ in generator.chance(0.9) }
      if generator.chance(0.5) {
        new.shuffle(using: &generator)
      } else if new.count > 6 {
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
          let start = Int.random(in: 0..<new.count - 4, using: &generator)
          new[start..<start + 4].reverse()
        }
      }
      for row in 0..<Int.random(in: 0...4, using: &generator) {
        new.insert(1000 + row, at: Int.random(in: 0...new.count, using: &generator))
      }
      check(old, new)
    }
  }

  @Test func `D4 Of many rows as few move, and fewer to where they were`() {
    withEvery("seed", in: seeds(40)) { seed in
      var generator = SeededGenerator(seed: seed)
      let old = Array(0..<Int.random(in: 100...400, using: &generator))
      var new = old
      for _ in 0..<Int.random(in: 1...20, using: &generator) {
        let start = Int.random(in: 0..<new.count - 9, using: &generator)
        new[start..<start + Int.random(in: 3...9, using: &generator)].reverse()
      }
      if generator.chance(0.2) { new.shuffle(using: &generator) }
      let diff = ListDiff(from: old, to: new)
      var list = old
      diff.changes.apply(to: &list) { new[$0.row] }
      expectEqual(list, new)
      let rows = new.enumerated().map { (old: $1, new: $0) }
      expectEqual(diff.changes.moves.count, rows.count - best(rows).count)
    }
  }

  @Test func `D4 However many rows could stay, each is looked at some times`() {
    let count = 2_000
    // A run in its place passes as many small ones, which then move. Each of as many rows that are in theirs looks
    // past those for what it has to pass, and finds that it is more.
    var runs = [_MatchedRun(old: count, new: count, count: count)]
    for row in 0..<count {
      runs.append(_MatchedRun(old: row, new: 3 * count + 1 + 2 * row, count: 1))
      let place = 3 * count + 2 + 2 * row
      runs.append(_MatchedRun(old: place, new: place, count: 1))
    }
    runs.append(_MatchedRun(old: 2 * count, new: 5 * count + 1, count: count + 1))
    var stays = runs.map { !$0.isInPlace }
    let looks = _preferPlaces(runs, &stays)
    #expect(looks <= 18 * runs.count)
    #expect(zip(runs, stays).reduce(0) { $0 + ($1.1 ? Int($1.0.count) : 0) } == 2 * count + 1)
    #expect(stays[0])
  }
}
