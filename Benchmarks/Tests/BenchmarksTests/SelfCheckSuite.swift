@testable import benchmarks

extension BenchmarkSuite {
  static let selfCheck = BenchmarkSuite {
    for size in [1, 10, 100, 1000] {
      Benchmark(
        "SelfCheck/contains/\(size)", aim: 100, absoluteAim: 1e9,
        measured: .loop {
          let numbers = Set(0..<size)
          return { iterations in countHits(in: numbers, iterations: iterations) }
        },
        baseline: .loop("array search") {
          let numbers = Array(0..<size)
          return { iterations in countHits(in: numbers, iterations: iterations) }
        })
    }
    Benchmark(
      "SelfCheck/append/1000",
      measured: .timed {
        { stopwatch in
          var numbers: [Int] = []
          numbers.reserveCapacity(1000)
          stopwatch.measure(operations: 1000) { append(1000, to: &numbers) }
        }
      },
      baseline: .timed("without reserving") {
        { stopwatch in
          var numbers: [Int] = []
          stopwatch.measure(operations: 1000) { append(1000, to: &numbers) }
        }
      })
    Benchmark(
      "SelfCheck/stride/0", unit: .bytes,
      measured: .figure { { Double(MemoryLayout<(Int64, Int8)>.size) } },
      baseline: .figure("stride") { { Double(MemoryLayout<(Int64, Int8)>.stride) } })
  }
}

@inline(never)
private func countHits(in numbers: Set<Int>, iterations: Int) {
  for iteration in 0..<iterations { blackHole(numbers.contains(iteration & 1023)) }
}

@inline(never)
private func countHits(in numbers: [Int], iterations: Int) {
  for iteration in 0..<iterations { blackHole(numbers.contains(iteration & 1023)) }
}

@inline(never)
private func append(_ count: Int, to numbers: inout [Int]) {
  for number in 0..<count { numbers.append(number) }
  blackHole(numbers)
}
