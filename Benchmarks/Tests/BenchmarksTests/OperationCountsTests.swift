import Testing

@testable import benchmarks

/// What some operations allocate and lock, so that no change adds to it unnoticed.
@Suite(.enabled(if: OperationCounts.areTaken)) struct `Counts of operations` {
  private func counts(_ title: String) throws -> OperationCounts {
    let benchmark = try #require(
      Catalog(suites).benchmarks.first { $0.title.description == title })
    return try #require(try OperationCounts.of(benchmark.measured))
  }

  @Test func `A side's operations are counted`() throws {
    let side = Side.loop("arrays", operations: 2) {
      { iterations in
        for iteration in 0..<iterations {
          blackHole([iteration])
          blackHole([iteration, iteration])
        }
      }
    }
    let counts = try OperationCounts.of(side)
    #expect(counts == OperationCounts(allocations: 1, locks: 0))
  }

  @Test func `A commit with an event of a model that delivers at once`() throws {
    let counts = try counts("FetchedObjects/commit-to-event/1000")
    #expect(counts.locks <= 18.5, "\(counts)")
    #expect(counts.allocations <= 38.5, "\(counts)")
  }

  @Test func `A commit of one change that nobody watches`() throws {
    let counts = try counts("EntityStore/commit-1/100000")
    #expect(counts.locks <= 6.5, "\(counts)")
    #expect(counts.allocations <= 8.5, "\(counts)")
  }

  @Test func `A commit outside a window`() throws {
    let counts = try counts("FetchedObjects/window-outside/100000")
    #expect(counts.locks <= 9.5, "\(counts)")
    #expect(counts.allocations <= 15, "\(counts)")
  }

  @Test func `A value that is sent to a subscriber`() throws {
    #expect(
      try counts("Relays/send/1") == OperationCounts(allocations: 0, locks: 0))
  }

  @Test func `An object that begins to be observed`() throws {
    let counts = try counts("FetchedObjects/observe/1000")
    #expect(counts.locks <= 22.5, "\(counts)")
    #expect(counts.allocations <= 22.5, "\(counts)")
  }

  @Test func `A commit of an object among a thousand that are observed`() throws {
    let counts = try counts("FetchedObjects/observed-entities/1000")
    #expect(counts.locks <= 15.5, "\(counts)")
    #expect(counts.allocations <= 20.5, "\(counts)")
  }

  @Test func `A look-up by id`() throws {
    #expect(
      try counts("EntityStore/get/100000") == OperationCounts(allocations: 0, locks: 1))
  }
}
