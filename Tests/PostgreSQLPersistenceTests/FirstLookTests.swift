#if PostgreSQL
import EntityStore
import Fixtures
@_spi(Storage) @testable import PostgreSQLPersistence
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct `The first look for commits of others` {
  @Test func `P5: after a connection that failed it trusts no number of a version`() async throws {
    let place = try ToolPlace()
    _ = try place.open()
    let proxy = try ServerProxy(to: TestServer.folder(place.connectionString))
    defer { proxy.end() }
    proxy.close()
    let (versions, failures) = (Log<Int64>(), Counter())
    let poller = try ServerPoller(
      proxy.connectionString, place.schema, waiting: 300_000,
      { version in
        versions.note(version)
        return false
      }, failed: { _ in failures.add() })
    poller.start()
    defer { poller.end() }
    #expect(await becomesTrue { failures.value == 1 })
    // Meanwhile the server may have lost a version, and may have made it again.
    proxy.open()
    #expect(await becomesTrue { !versions.isEmpty })
    #expect(versions.entries.first == -1)
  }
}
#endif
