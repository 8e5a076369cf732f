import Testing

@testable import benchmarks

@Suite struct BenchmarkTitleTests {
  @Test func `A title has three parts`() throws {
    let title = try #require(BenchmarkTitle("SQLitePersistence/insert in bulk/100000"))
    #expect(title.layer == "SQLitePersistence")
    #expect(title.what == "insert in bulk")
    #expect(title.number == 100_000)
    #expect(title.group == "SQLitePersistence/insert in bulk")
    #expect(title.description == "SQLitePersistence/insert in bulk/100000")
  }

  @Test(arguments: [
    "", "Relays", "Relays/send", "Relays/send/1/2", "relays/send/1", "/send/1", "Relays//1",
    "Relays/send/", "Relays/ send/1", "Relays/send/1 ", "Re lays/send/1", "Relays/se\nnd/1",
  ])
  func `Anything else is no title`(text: String) {
    #expect(BenchmarkTitle(text) == nil)
  }

  @Test func `A size in words is no number`() throws {
    #expect(try #require(BenchmarkTitle("Relays/send/ten")).number == nil)
  }

  @Test func `A benchmark takes its size from its title`() {
    let named = Benchmark("Relays/send/10", measured: .constant(), baseline: .constant("plain"))
    #expect(named.size == 10)
    let given = Benchmark(
      "Relays/send/ten", size: 11, measured: .constant(), baseline: .constant("plain"))
    #expect(given.size == 11)
  }

  @Test func `A benchmark with a malformed title traps`() async {
    await #expect(processExitsWith: .failure) {
      _ = Benchmark("Relays/send", measured: .constant(), baseline: .constant("plain"))
    }
  }

  @Test func `A benchmark without a size traps`() async {
    await #expect(processExitsWith: .failure) {
      _ = Benchmark("Relays/send/ten", measured: .constant(), baseline: .constant("plain"))
    }
    await #expect(processExitsWith: .failure) {
      _ = Benchmark("Relays/send/1", size: -1, measured: .constant(), baseline: .constant("plain"))
    }
  }

  @Test func `A loop cannot be measured in bytes`() async {
    await #expect(processExitsWith: .failure) {
      _ = Benchmark(
        "Relays/send/1", unit: .bytes, measured: .loop { { _ in } }, baseline: .constant("plain"))
    }
  }

  @Test func `A loop that performs no operation traps`() async {
    await #expect(processExitsWith: .failure) {
      _ = Side.loop(operations: 0) { { _ in } }
    }
  }
}
