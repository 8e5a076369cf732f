import ListDiffing

extension BenchmarkSuite {
  /// Two lists of identifiers, as DifferenceKit's README sets them up: a tenth deleted, a tenth
  /// inserted and a fiftieth shuffled.
  static let listDiffing = BenchmarkSuite {
    for count in [1000, 10_000, 100_000] {
      Benchmark(
        "ListDiffing/readme/\(count)", unit: .microseconds, aim: 0.9,
        measured: .loop {
          let (old, new) = readmeLists(count)
          return { iterations in
            for _ in 0..<iterations { blackHole(ListDiff(from: old, to: new).changes) }
          }
        },
        baseline: .loop("hashing the identifiers once") {
          let (old, new) = readmeLists(count)
          return { iterations in
            for _ in 0..<iterations {
              var hasher = Hasher()
              for element in old { hasher.combine(element.hashValue) }
              for element in new { hasher.combine(element.hashValue) }
              blackHole(hasher.finalize())
            }
          }
        })
    }
    Benchmark(
      "ListDiffing/readme against difference/1000", unit: .microseconds,
      measured: .loop {
        let (old, new) = readmeLists(1000)
        return { iterations in
          for _ in 0..<iterations { blackHole(ListDiff(from: old, to: new).changes) }
        }
      },
      baseline: .loop("Array.difference") {
        let (old, new) = readmeLists(1000)
        return { iterations in
          for _ in 0..<iterations { blackHole(new.difference(from: old).inferringMoves()) }
        }
      })
  }
}

private func readmeLists(_ count: Int) -> (old: [Int], new: [Int]) {
  var random = SplitMix(state: 42)
  let old = Array(0..<count)
  var new = old
  for _ in 0..<(count / 10) { new.remove(at: Int.random(in: 0..<new.count, using: &random)) }
  for index in 0..<(count / 10) {
    new.insert(count + index, at: Int.random(in: 0...new.count, using: &random))
  }
  let shuffled = (0..<(count / 50)).map { _ in Int.random(in: 0..<new.count, using: &random) }
  for (a, b) in zip(shuffled, shuffled.reversed()) { new.swapAt(a, b) }
  return (old, new)
}

/// A generator with a seed, so that every run measures the same lists.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
