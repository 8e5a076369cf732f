import Foundation
@_spi(Inspection) import Signalbox
import Testing

@testable import Departures
@testable import DeparturesModel

/// A small year: five days around the one on which the clocks were changed.
@MainActor struct YearTests {
  private func folder(flightsADay: Int = 60) throws -> Folder {
    var rows: [String] = []
    let airports = ["EWR", "JFK"]
    for day in 8...12 {
      // At two in the night of 10 March.
      let ahead = day < 10 ? 5 : 4
      for number in 0..<flightsADay {
        let hour = 5 + number % 14
        let minute = number * 7 % 60
        let delay = number % 11 == 0 ? "NA" : "\((number * 37) % 200 - 20)"
        let airTime = number % 11 == 0 || number % 23 == 0 ? "NA" : "\(60 + number % 90)"
        let tail = number % 5 == 0 ? "N1" : "N\(number)"
        rows.append(
          "2013,3,\(day),\(delay),\(number % 3 == 0 ? "UA" : "B6"),\(number % 40),\(tail),"
            + "\(airports[number % 2]),\(airports[(number + 1) % 2]),\(airTime),400,\(hour),\(minute),"
            + "2013-03-\(twoDigits(day))T\(twoDigits(hour + ahead)):00:00Z")
      }
    }
    return try Folder(flights: rows)
  }

  private func tables(_ folder: Folder) throws -> DayTables {
    try DayTables(in: folder.url, day: nil, readsYear: true)
  }

  private func options(by grouping: BoardGrouping = .status, every: Int? = 1) -> Options {
    var options = Options()
    options.isYear = true
    options.grouping = grouping
    options.verifies = every != nil
    options.verifyEvery = every ?? 1
    return options
  }

  @Test(arguments: BoardGrouping.allCases)
  func `F7: A year's window passes every check while it moves`(grouping: BoardGrouping) throws {
    let folder = try folder(flightsADay: 80)
    let file = folder.file("s.sqlite")
    let replay = try Replay(
      tables(folder), in: .sqlite(path: file, durability: .normal),
      options: options(by: grouping, every: 50))
    #expect(replay.presenter.rowCount == 400)
    #expect(replay.presenter.departures.snapshot.count <= 300)
    try replay.finish()
    #expect((replay.verified ?? 0) > 10)
    #expect(replay.presenter.rowCount == 400)
    let report = try Report(replay)
    #expect(report.onBoard.values.reduce(0, +) == 400)
    #expect(report.day == "2013-03-08 to 2013-03-12")
    // The window and the counts of all sections stand on one index.
    let kinds = replay.dispatcher.store.liveResults.map(\.kind)
    #expect(kinds.count { $0 == .index } == 1)
  }

  @Test func `Every Nth commit is verified, and the last one`() throws {
    let folder = try folder()
    let replay = try Replay(tables(folder), in: .inMemory, options: options(every: 150))
    try replay.finish()
    let expected = 1 + replay.commits / 150 + (replay.commits % 150 == 0 ? 0 : 1)
    #expect(replay.verified == expected)
  }

  @Test func `A wrong row anywhere is found, in the window or not`() throws {
    let folder = try folder()
    for late in [false, true] {
      let replay = try Replay(tables(folder), in: .inMemory, options: options(every: 10))
      for _ in 0..<95 { try replay.advance() }
      let store = replay.dispatcher.store
      let flights = try store.fetch(Query<Departure>().sorted { [$0.estimated.ascending] })
      let wrong = try #require(late ? flights.last : flights.first)
      try store.commit { draft in
        try draft.update(Departure.self, wrong.id) { $0.stage = Ref(.diverted) }
      }
      #expect(throws: VerificationError.self) { try replay.finish() }
    }
  }

  @Test func `The clocks are New York's on each day`() throws {
    let folder = try folder()
    let tables = try tables(folder)
    #expect(tables.day == Day(year: 2013, month: 3, day: 8))
    #expect(tables.lastDay == Day(year: 2013, month: 3, day: 12))
    #expect(tables.clocks.clock(tables.flights[0].scheduled) == "03-08 05:00")
    let last = try #require(tables.flights.last)
    #expect(tables.clocks.clock(last.scheduled) == "03-12 08:53")
    let end = Timeline(tables).end
    #expect(tables.clocks.clock(end) == "03-12 23:59")
  }

  @Test func `An import that was cut short is started over`() throws {
    let folder = try folder()
    let backing = StorageKind.sqlite(path: folder.file("s.sqlite"), durability: .normal)
    do {
      let store = try Store(backing, entities: Dispatcher.entities)
      // As if the program had been killed before the last commit of the import.
      let dispatcher = try Dispatcher(store, tables: tables(folder))
      _ = try dispatcher.open(fresh: false)
      try store.commit { try $0.delete(Playhead.self, Playhead.onlyID) }
    }
    let replay = try Replay(tables(folder), in: backing, options: options())
    #expect(replay.start == .new)
    for _ in 0..<20 { try replay.advance() }
    let again = try Replay(tables(folder), in: backing, options: options(by: .carrier))
    #expect(again.start == .resuming(after: 20))
    // A day takes the year's place.
    let day = try Replay(folder.tables(day: "03-08"), in: backing, options: Options())
    #expect(day.start == .replacing(day: "2013-03-08 to 2013-03-12"))
    #expect(day.presenter.board.isEmpty)
  }

  @Test func `Scrolling through a year shows every flight, and holds one window`() throws {
    let folder = try folder(flightsADay: 200)
    let replay = try Replay(tables(folder), in: .inMemory, options: options(every: nil))
    for _ in 0..<50 { try replay.advance() }
    let presenter = replay.presenter
    var all: [BoardRow] = []
    try presenter.forEachRow { all.append($1) }
    try #require(all.count == 1000)
    var position = 0
    while position < presenter.rowCount {
      presenter.choose(position)
      let page = try presenter.page(height: 40)
      let rows = page.board.flatMap(\.rows)
      #expect(rows == Array(all[page.rowsBefore..<(page.rowsBefore + rows.count)]))
      #expect(page.chosen == all[position].id)
      #expect(presenter.departures.snapshot.count <= 300)
      for (section, count) in zip(page.board, page.counts) {
        #expect(all.count { $0.status.title == section.header.title } == count)
      }
      position = page.rowsBefore + rows.count
    }
    // To other sections, where the chosen flight stands somewhere else.
    presenter.choose(700)
    let chosen = try #require(try presenter.page(height: 40).chosen)
    try presenter.show(BoardRequest(grouping: .carrier))
    try presenter.followChosen()
    #expect(try presenter.page(height: 40).chosen == chosen)
    try presenter.show(BoardRequest(grouping: .carrier, search: "N1"))
    let found = try presenter.page(height: 40)
    #expect(found.total == presenter.rowCount)
    #expect((1..<1000).contains(found.total))
  }
}
