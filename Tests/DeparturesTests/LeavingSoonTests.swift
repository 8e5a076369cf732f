import EntityStore
import Foundation
import Signalbox
import Testing

@testable import Departures
@testable import DeparturesModel

@MainActor struct LeavingSoonTests {
  @Test func `F17: the number follows commits, and the minutes between them`() async throws {
    var tables = try bundledTables()
    tables.flights = Array(tables.flights.prefix(60))
    let replay = try Replay(tables, in: .inMemory, options: Options())
    let store = replay.presenter.store
    let soon = try LeavingSoon(in: store)
    var changesByTime = 0
    func check(at minute: Minute) async throws {
      await store.clockHasChanged()
      await store.flush()
      let flights = try store.fetch(Query<Departure>()).filter {
        [.boarding, .delayed, .scheduled].contains($0.stage.id)
          && Minute($0.estimated) - minute <= BoardPage.minutesOfSoon
      }
      #expect(soon.count == flights.count)
    }
    while let tick = replay.remaining.first {
      try replay.advance()
      try await check(at: tick.time)
      guard let next = replay.remaining.first, next.time - tick.time > 1 else { continue }
      let before = soon.count
      replay.letTimePass(to: next.time - 1)
      try await check(at: next.time - 1)
      changesByTime += soon.count == before ? 0 : 1
    }
    #expect(changesByTime > 2)
  }
}
