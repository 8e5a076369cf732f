import Testing

@testable import benchmarks

@Suite struct CatalogTests {
  private let catalog = Catalog([.selfCheck])

  @Test func `A suite lists what its loops make`() {
    #expect(
      catalog.benchmarks.map(\.title.description) == [
        "SelfCheck/contains/1", "SelfCheck/contains/10", "SelfCheck/contains/100",
        "SelfCheck/contains/1000", "SelfCheck/append/1000", "SelfCheck/stride/0",
      ])
  }

  @Test func `A filter finds its text in either case`() {
    #expect(catalog.matching("CONTAINS/10").count == 3)
    #expect(catalog.matching("nothing").isEmpty)
    #expect(catalog.matching(nil).count == catalog.benchmarks.count)
  }

  @Test func `The registered suites agree with each other`() {
    _ = Catalog(suites)
  }

  @Test func `Two benchmarks of one title trap`() async {
    await #expect(processExitsWith: .failure) {
      _ = Catalog([.selfCheck, .selfCheck])
    }
  }

  @Test func `Two units in one chart trap`() async {
    await #expect(processExitsWith: .failure) {
      _ = Catalog([
        BenchmarkSuite {
          Benchmark("Relays/send/1", measured: .constant(), baseline: .constant())
          Benchmark("Relays/send/2", unit: .bytes, measured: .constant(), baseline: .constant())
        }
      ])
    }
  }
}
