import TestSupport
import Testing

@testable import ListDiffing

@Suite struct `Longest increasing run` {
  @Test func `D4 It increases, and no run is longer`() {
    let all = sequences(of: [0, 1, 2, 3], upTo: 5) + permutations(of: [0, 1, 2, 3, 4, 5])
    withEvery("values", in: all) { values in
      let marks = longestIncreasingSubsequence(of: values)
      expectEqual(marks.count, values.count)
      let run = zip(values, marks).filter(\.1).map(\.0)
      expectTrue(zip(run, run.dropFirst()).allSatisfy(<), "\(run)")
      expectEqual(run.count, longest(values))
    }
  }

  @Test func `D4 Of many values, most of them in order, no run is longer`() {
    withEvery("seed", in: seeds(200)) { seed in
      var generator = SeededGenerator(seed: seed)
      var values = Array(0..<Int.random(in: 60...300, using: &generator))
      for _ in 0..<Int.random(in: 1...60, using: &generator) {
        let value = values.remove(at: Int.random(in: values.indices, using: &generator))
        values.insert(value, at: Int.random(in: 0...values.count, using: &generator))
      }
      if generator.chance(0.1) { values.shuffle(using: &generator) }
      let run = zip(values, longestIncreasingSubsequence(of: values)).filter(\.1).map(\.0)
      expectTrue(zip(run, run.dropFirst()).allSatisfy(<), "\(run)")
      expectEqual(run.count, commonLength(values, values.sorted()))
    }
  }

  @Test func `D4 The place of a value among ends of any number is found`() {
    // Every second value, so that each place is one that a value can have.
    for count in [0, 1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 79, 80, 81, 255, 256, 257, 600] {
      for value in 0...2 * count {
        withUnsafeTemporaryAllocation(
          of: Int32.self, capacity: _UnsafeTails.room(for: count + 1)
        ) { words in
          var tails = _UnsafeTails(words, count + 1)
          for end in 0..<count { _ = tails.place(Int32(2 * end)) }
          expectEqual(tails.place(Int32(value)), (value + 1) / 2, "\(value) among \(count)")
        }
      }
    }
  }

  @Test func `D4 Of thousands of values in any order, no run is longer`() {
    withEvery("seed", in: seeds(40)) { seed in
      var generator = SeededGenerator(seed: seed)
      var values = Array(0..<Int.random(in: 500...6000, using: &generator))
      // From a few blocks in order to none.
      let size = 1 << Int.random(in: 0...9, using: &generator)
      let starts = stride(from: 0, to: values.count, by: size).shuffled(using: &generator)
      values = starts.flatMap { values[$0..<min($0 + size, values.count)] }
      let run = zip(values, longestIncreasingSubsequence(of: values)).filter(\.1).map(\.0)
      expectTrue(zip(run, run.dropFirst()).allSatisfy(<), "\(run)")
      var tails: [Int] = []
      for value in values {
        let place = tails.firstIndex { $0 >= value } ?? tails.count
        if place == tails.count { tails.append(value) } else { tails[place] = value }
      }
      expectEqual(run.count, tails.count)
    }
  }

  @Test func `Values that increase are all marked`() {
    expectEqual(longestIncreasingSubsequence(of: [1, 5, 9]), [true, true, true])
    expectEqual(longestIncreasingSubsequence(of: []), [])
  }

  private func longest(_ values: [Int]) -> Int {
    subsets(of: values).filter { zip($0, $0.dropFirst()).allSatisfy(<) }.map(\.count).max() ?? 0
  }

  @Test func `A value that is no position is refused`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = longestIncreasingSubsequence(of: [0, -1]) }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("-1 is no position in a list"))
  }
}
