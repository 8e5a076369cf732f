#if PostgreSQL
import EntityStore
import Fixtures
@_spi(Storage) import PostgreSQLPersistence
import Testing

/// Opens a store with a time to wait for other writers, without a server.
private func openStore(waiting: Duration) throws {
  _ = try Store(
    .postgreSQL("host=/nowhere", waiting: waiting), entities: [Person.self, Car.self])
}

@Suite struct ServerWaitTests {
  @Test func `P10: a wait that is too short for a server is a mistake`() async throws {
    let short = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { try openStore(waiting: .microseconds(999)) }
    let negative = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { try openStore(waiting: .seconds(Int64.min)) }
    for result in [short, negative] {
      let words = String(decoding: result.standardErrorContent, as: UTF8.self)
      #expect(words.contains("for other writers; use a millisecond or more"))
    }
  }

  @Test func `P10: a wait that is too long for a server is a mistake`() async throws {
    let month = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { try openStore(waiting: .seconds(60 * 60 * 24 * 25)) }
    let endless = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { try openStore(waiting: .seconds(Int64.max)) }
    for result in [month, endless] {
      let words = String(decoding: result.standardErrorContent, as: UTF8.self)
      #expect(words.contains("which is longer than a server can wait; use 24 days at most"))
    }
  }

  @Test func `P10: the shortest and the longest wait are allowed`() {
    for milliseconds in [1, Int64(Int32.max)] {
      _ = PostgreSQLStorage("host=/nowhere", waiting: .milliseconds(milliseconds))
    }
  }
}
#endif
