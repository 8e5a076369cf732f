import CHeap
import ListDiffing

extension BenchmarkSuite {
  /// The memory that a difference of a million rows takes at its peak, its result included.
  static let listDiffingMemory = BenchmarkSuite {
    for (title, aim, lists) in [
      ("ListDiffing/memory/1000000", 30e6 as Double?, { churned(1_000_000, share: 0.01) }),
      ("ListDiffing/memory-shuffle/1000000", nil, { shuffled(1_000_000) }),
    ] {
      Benchmark(
        title, size: 1, unit: .bytes, absoluteAim: aim,
        measured: peak("Signalbox", lists) { ListDiff(from: $0, to: $1).changes },
        baseline: peak("hashing once", lists) { tableOfHashes($0, $1) })
    }
  }
}

private func peak<Result>(
  _ name: String, _ lists: @escaping () -> Lists<Int>,
  _ make: @escaping ([Int], [Int]) -> Result
) -> Side {
  .figure(name) {
    let (old, new) = lists()
    return {
      let before = memory_peak_reset()
      let result = make(old, new)
      let after = memory_peak()
      return withExtendedLifetime(result) { Double(after) - Double(before) }
    }
  }
}
