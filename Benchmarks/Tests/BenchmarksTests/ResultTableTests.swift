import Testing

@testable import benchmarks

@Suite struct ResultTableTests {
  private let results = Result {
    [
      try Comparison.sample("Relays/send/1", measured: [12.3], baseline: [17]),
      try Comparison.sample(
        "SQLitePersistence/insert in bulk/100000", aim: 1.3, absoluteAim: 2e6,
        measured: [9_876_543], baseline: [1_000_000], baselineName: "the C API"),
      try Comparison.sample("Relays/send/1000", aim: 2, measured: [999.7], baseline: [0.5]),
    ]
  }

  private func lines() throws -> [String] {
    let results = try results.get()
    let table = ResultTable(
      results.map {
        Benchmark(
          $0.title.description, measured: .constant(), baseline: .constant($0.baseline.name))
      })
    return [table.heading] + results.map { table.row($0) }
  }

  @Test func `Columns line up under their headings`() throws {
    let expected = """
      benchmark                                  median       min  baseline     median       min    ratio  samples
      Relays/send/1                             12.3 ns   12.3 ns  plain       17.0 ns   17.0 ns     0.72        1
      SQLitePersistence/insert in bulk/100000   9.88 ms   9.88 ms  the C API   1.00 ms   1.00 ms     9.88        1  over 1.3, over 2.00 ms
      Relays/send/1000                          1.00 µs   1.00 µs  plain       0.50 ns   0.50 ns   1999.4        1  over 2.0

      """
    #expect(try lines().joined() == expected)
  }

  @Test func `Only missed aims are mentioned`() throws {
    let marked = try lines().map { $0.contains("over") }
    #expect(marked == [false, false, true, true])
  }
}
