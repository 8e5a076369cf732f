import Foundation
import Testing

@testable import benchmarks

@Suite struct ReportTests {
  @Test func `The JSON has exactly the documented keys`() throws {
    let comparison = try Comparison.sample(
      "Relays/send/10", unit: .microseconds, measured: [4, 2, 6], baseline: [8, 8, 8])
    let json = try Report(comparisons: [comparison]).json()

    #expect(
      String(decoding: json, as: UTF8.self) == """
        [
          {
            "baseline" : "plain",
            "baselineMedian" : 8,
            "median" : 4,
            "min" : 2,
            "ratio" : 0.5,
            "samples" : 3,
            "size" : 10,
            "title" : "Relays/send/10",
            "unit" : "us/op"
          }
        ]

        """)
  }

  @Test func `No results are an empty array`() throws {
    let json = try Report().json()
    #expect(try JSONDecoder().decode([Report.Record].self, from: json) == [])
  }

  @Test(arguments: [
    (0, "0.00 ns"), (1.234, "1.23 ns"), (9.996, "10.0 ns"), (99.96, "100 ns"), (999.4, "999 ns"),
    (999.6, "1.00 µs"), (12_345, "12.3 µs"), (2.5e6, "2.50 ms"), (7e9, "7.00 s"),
    (999.4e9, "999 s"),
  ])
  func `A time prints in three digits`(cost: Double, text: String) {
    #expect(CostUnit.nanoseconds.text(for: cost) == text)
    #expect(text.count <= CostUnit.widestText)
  }

  @Test func `Other units print in their own steps`() {
    #expect(CostUnit.milliseconds.text(for: 0.5) == "500 µs")
    #expect(CostUnit.bytes.text(for: 1500) == "1.50 kB")
    #expect(CostUnit.bytes.tickText(for: 50) == "50 B")
    #expect(CostUnit.nanoseconds.tickText(for: 200) == "200 ns")
    #expect(CostUnit.nanoseconds.tickText(for: 1000) == "1 µs")
  }

  @Test(arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")])
  func `A size is grouped by three`(size: Int, text: String) {
    #expect(grouped(size) == text)
  }
}
