@testable import ListDiffing
import TestSupport
import Testing

/// What two lists have in common in runs is found by walking along both, without a table.
@Suite struct `A walk along two lists` {
  /// How many rows it matches.
  private func walked(_ old: [Int], _ new: [Int]) -> Int {
    old.withUnsafeBufferPointer { old in
      new.withUnsafeBufferPointer { new in
        var matching = _UnsafeMatching<Int, Int>(old: old, new: new, areUnique: false)
        defer { matching.walked.deallocate() }
        matching.walk { $0 }
        return (0..<matching.walked.runs.count).reduce(0) {
          $0 + Int(matching.walked.runs[$1].count)
        }
      }
    }
  }

  @Test func `continues after rows in another order, whichever one of them keeps its place`() {
    withEvery("seed", in: seeds(400)) { seed in
      var generator = SeededGenerator(seed: seed)
      let old = Array(0..<3000)
      var new = old
      for start in [0, 1000, 2000] {
        let end = start + Int.random(in: 40...300, using: &generator)
        new[start..<end].shuffle(using: &generator)
      }
      expectTrue(walked(old, new) >= 3000 - 900)
    }
  }

  @Test func `ends where the lists have nothing more in common`() {
    expectEqual(walked(Array(0..<1000), Array(1000..<2000)), 0)
    expectEqual(walked(Array(0..<1000), []), 0)
    expectEqual(walked([], [1]), 0)
    // The last rows are fewer than a run.
    let old = Array(0..<100)
    expectEqual(walked(old, Array((0..<95).reversed()) + [95, 96, 97, 98, 99]), 5)
  }
}
