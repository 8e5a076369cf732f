import Foundation
import Signalbox
import TestSupport
import Testing

@testable import Departures
@testable import DeparturesModel

@MainActor struct ReplayTests {
  private func options(
    by grouping: BoardGrouping = .status, verifies: Bool = false, fresh: Bool = false
  ) -> Options {
    var options = Options()
    options.grouping = grouping
    options.verifies = verifies
    options.startsFresh = fresh
    return options
  }

  /// The start of a day's tables, so that a test doesn't take its whole time.
  private func morning(_ count: Int = 50) throws -> DayTables {
    var tables = try bundledTables()
    tables.flights = Array(tables.flights.prefix(count))
    return tables
  }

  @Test(.large) func `The bundled day passes every check`() throws {
    let folder = try Folder()
    let replay = try Replay(
      bundledTables(), in: .sqlite(path: folder.file("s.sqlite"), durability: .normal),
      options: options(verifies: true))
    try replay.finish()

    let report = try Report(replay)
    #expect(report.verified == report.ticks + 1)
    #expect(report.ticks == replay.dispatcher.timeline.ticks.count)
    #expect(report.events == report.ticks)
    #expect(report.soFar[.scheduled] == 930)
    #expect(report.soFar[.cancelled] == 472)
    #expect(report.soFar[.departed] == 458)
    #expect((report.soFar[.landed] ?? 0) + (report.soFar[.diverted] ?? 0) <= 458)
    #expect(report.changes.rows.inserted == 930)
    let total = report.onBoard.values.reduce(0, +)
    #expect(total > 0)
    #expect(report.changes.rows.deleted == 930 - total)
    #expect(report.clock <= "23:59")
  }

  @Test(arguments: BoardGrouping.allCases)
  func `Every grouping passes every check`(grouping: BoardGrouping) throws {
    let replay = try Replay(
      morning(), in: .inMemory, options: options(by: grouping, verifies: true))
    try replay.finish()
    #expect(replay.verified == replay.commits + 1)
  }

  @Test func `Memory and file show the same`() throws {
    let tables = try morning()
    let folder = try Folder()
    var sums: [Fingerprint] = []
    for backing in [StorageKind.inMemory, .sqlite(path: folder.file("s.sqlite"))] {
      let replay = try Replay(tables, in: backing, options: options(verifies: true))
      try replay.finish()
      sums.append(try Report(replay).fingerprint)
    }
    #expect(sums[0] == sums[1])
  }

  @Test(arguments: [0, 1, 17, 60])
  func `After an interruption it continues from the stored tick to the same end`(cut: Int) throws {
    let tables = try morning()
    let whole = try Replay(tables, in: .inMemory, options: options())
    try whole.finish()

    let folder = try Folder()
    let backing = StorageKind.sqlite(path: folder.file("s.sqlite"), durability: .normal)
    do {
      let replay = try Replay(tables, in: backing, options: options())
      #expect(replay.start == .new)
      for _ in 0..<cut { try replay.advance() }
    }
    let replay = try Replay(tables, in: backing, options: options(by: .carrier, verifies: true))
    #expect(replay.start == .resuming(after: cut))
    try replay.finish()
    #expect(replay.commits == whole.commits - cut)

    let again = try Replay(tables, in: backing, options: options(verifies: true))
    try again.finish()
    #expect(again.commits == 0)
    #expect(try Report(again).fingerprint == Report(whole).fingerprint)
    #expect(try Report(again).soFar == Report(whole).soFar)
  }

  @Test func `Another day starts over in one commit`() throws {
    let folder = try Folder()
    let backing = StorageKind.sqlite(path: folder.file("s.sqlite"), durability: .normal)
    let first = try morning()
    do {
      let replay = try Replay(first, in: backing, options: options())
      for _ in 0..<50 { try replay.advance() }
      #expect(!replay.presenter.board.isEmpty)
    }
    var other = try morning(30)
    other.day = Day(year: 2013, month: 2, day: 7)
    let before = try Store(backing, entities: Dispatcher.entities).version
    let replay = try Replay(other, in: backing, options: options(verifies: true))
    #expect(replay.start == .replacing(day: "2013-02-08"))
    #expect(replay.presenter.board.isEmpty)
    #expect(try replay.dispatcher.store.version == before + 1)
    for _ in 0..<30 { try replay.advance() }
    #expect(replay.presenter.day == "2013-02-07")
  }

  @Test func `Fresh starts the same day over`() throws {
    let folder = try Folder()
    let backing = StorageKind.sqlite(path: folder.file("s.sqlite"), durability: .normal)
    let tables = try morning()
    do {
      let replay = try Replay(tables, in: backing, options: options())
      for _ in 0..<50 { try replay.advance() }
    }
    let replay = try Replay(tables, in: backing, options: options(verifies: true, fresh: true))
    #expect(replay.start == .new)
    #expect(replay.presenter.soFar.isEmpty)
    try replay.finish()
  }

  @Test(arguments: [-1, Int.min, 1_000_000, Int.max])
  func `P6: a tick that the day doesn't have starts it over`(tick: Int) throws {
    let folder = try Folder()
    let backing = StorageKind.sqlite(path: folder.file("s.sqlite"), durability: .normal)
    let tables = try morning(5)
    let store = try Replay(tables, in: backing, options: options()).dispatcher.store
    try store.commit { draft in
      try draft.update(Playhead.self, Playhead.onlyID) { $0.tick = tick }
    }
    let replay = try Replay(tables, in: backing, options: options(verifies: true))
    #expect(replay.start == .replacing(day: "2013-02-08"))
    try replay.finish()
    #expect(replay.verified == replay.commits + 1)
  }

  @Test func `P6: whatever times and counts the file has, the board goes on`() throws {
    let replay = try Replay(morning(5), in: .inMemory, options: options())
    try replay.advance()
    try replay.dispatcher.store.commit { draft in
      for flight in try draft.fetch(Query<Departure>()) {
        try draft.update(Departure.self, flight.id) {
          $0.estimated = Date(timeIntervalSince1970: .infinity)
        }
      }
      try draft.update(Playhead.self, Playhead.onlyID) {
        $0.now = Date(timeIntervalSince1970: -.infinity)
      }
      for stage in try draft.fetch(Query<Stage>()) {
        try draft.update(Stage.self, stage.id) { $0.flights = .max }
      }
    }
    let view = BoardView(columns: 80, rows: 20)
    #expect(try view.lines(for: replay.presenter.page(height: view.listHeight)).count == 20)
    try replay.finish()
    #expect(replay.remaining.isEmpty)
  }

  @Test func `P6: a time that no number of minutes can say is far away`() {
    var year = Clocks(offset: -300)
    year.showsDay = true
    for seconds in [Double.infinity, -Double.infinity, Double.nan, 1e300, -1e300, 1e15] {
      let minute = Minute(Date(timeIntervalSince1970: seconds))
      #expect(abs(minute.sinceEpoch) == 1_000_000_000_000)
      #expect(year.clock(minute).count == 11)
    }
  }

  @Test func `The verifier notices data that isn't the day's`() throws {
    let replay = try Replay(morning(), in: .inMemory, options: options(verifies: true))
    for _ in 0..<40 { try replay.advance() }
    try replay.dispatcher.store.commit { draft in
      guard let late = try draft.fetch(Query<Departure>()).first else { return }
      try draft.update(Departure.self, late.id) { $0.estimated += 60 }
    }
    #expect(throws: VerificationError.self) { try replay.advance() }
  }

  @Test func `The verifier names the commit and the first path that differs`() throws {
    let tables = try morning()
    let replay = try Replay(tables, in: .inMemory, options: options())
    var other = tables
    other.flights[4].number += 1000
    let verifier = BoardVerifier(replay.presenter, tables: other, after: [])
    var message = ""
    for tick in replay.remaining {
      try replay.advance()
      do {
        try verifier.check(tick, isLast: false)
      } catch {
        message = "\(error)"
        break
      }
    }
    let shown = try #require(
      replay.dispatcher.timeline.ticks.first { $0.steps.contains { $0.flight == 5 } })
    let row = try #require(replay.presenter.departures.path(for: 5))
    let clock = replay.presenter.clock(at: shown.time)
    let start =
      "after commit \(shown.number) at \(clock), in the model's board, row \(row) should be"
    #expect(message.hasPrefix(start), "\(message)")
  }

  @Test func `Two runs on one store don't mix`() throws {
    let folder = try Folder()
    let backing = StorageKind.sqlite(path: folder.file("s.sqlite"), durability: .normal)
    let tables = try morning()
    let one = try Replay(tables, in: backing, options: options())
    let other = try Replay(tables, in: backing, options: options())
    try other.advance()
    #expect(throws: ReplayError.overtaken) { try one.advance() }
  }

  @Test func `Events report each commit once, and the page shows it by then`() throws {
    let replay = try Replay(morning(), in: .inMemory, options: options())
    var clocks: [String] = []
    replay.presenter.onEvent = { line in
      #expect(line.clock == replay.presenter.clock)
      #expect(line.counts == replay.presenter.board.countsByStatus)
      clocks.append(line.clock)
    }
    for _ in 0..<40 { try replay.advance() }
    let ticks = replay.dispatcher.timeline.ticks.prefix(40)
    #expect(clocks == ticks.map { replay.presenter.clock(at: $0.time) })
  }

  @Test func `What the tables lack is shown by its code`() throws {
    let folder = try Folder(flights: [
      "2013,2,8,0,UA,17,N999,EWR,SJU,99,529,5,30,2013-02-08T10:00:00Z",
      "2013,2,8,0,B6,18,NA,JFK,EWR,99,529,5,31,2013-02-08T10:00:00Z",
      "2013,2,8,0,B6,18,N1,JFK,EWR,99,529,5,32,2013-02-08T10:00:00Z",
    ])
    let replay = try Replay(folder.tables(), in: .inMemory, options: options(verifies: true))
    for _ in 0..<3 { try replay.advance() }
    let rows = replay.presenter.board.flatMap(\.rows)
    #expect(rows.map(\.destination) == ["SJU", "Newark Liberty Intl", "Newark Liberty Intl"])
    #expect(rows.map(\.aircraft) == ["N999", "", "BOEING 737-824"])
    #expect(rows.map(\.flight) == ["UA 17", "B6 18", "B6 18"])
  }
}
