import Foundation
@_spi(Inspection) import Signalbox
import Testing

@testable import Departures
@testable import DeparturesModel

@MainActor struct BoardPresenterTests {
  private func replay(_ count: Int = 120, ticks: Int = 150) throws -> Replay {
    var tables = try bundledTables()
    tables.flights = Array(tables.flights.prefix(count))
    let replay = try Replay(tables, in: .inMemory, options: Options())
    for _ in 0..<ticks { try replay.advance() }
    return replay
  }

  /// A plain list that events bring up to date.
  private final class Copy {
    var board: Board
    private(set) var events = 0
    private var token: SubscriptionToken?

    @MainActor init(_ presenter: BoardPresenter) {
      board = presenter.board
      token = presenter.departures.didChange.subscribe(on: .mainActor) { [weak self] event in
        guard let self else { return }
        events += 1
        event.changes.apply(
          to: &board, header: { BoardHeader(event.after.sections[$0]) },
          row: { BoardRow(event.after[$0], clocks: presenter.clocks) })
      }
    }
  }

  @Test func `F6: Other sections are one event, and the flights are the same`() throws {
    let replay = try replay()
    let presenter = replay.presenter
    let copy = Copy(presenter)
    var reference = ReferenceBoard(replay.dispatcher.tables, by: .origin)
    for tick in replay.dispatcher.timeline.ticks.prefix(150) { reference.apply(tick) }
    #expect(presenter.board.rowCount > 20)

    try presenter.show(BoardRequest(grouping: .origin))
    #expect(copy.events == 1)
    #expect(copy.board == presenter.board)
    #expect(BoardDifference(expected: reference.board, found: presenter.board) == nil)
    // The same again is none.
    try presenter.show(BoardRequest(grouping: .origin))
    #expect(copy.events == 1)
  }

  @Test(arguments: [
    "jetblue", "B6", "jfk air", "ohare", "N5", "sju", "stt", "N5EXAA", "1", "737 united", "nowhere",
    "  ",
  ])
  func `A search shows the flights that have all its words`(search: String) throws {
    let replay = try replay()
    let presenter = replay.presenter
    let all = presenter.board.flatMap(\.rows)
    let tables = replay.dispatcher.tables
    let models = Dictionary(uniqueKeysWithValues: tables.planes.map { ($0.tailNumber, $0.model) })
    let expected = all.filter { row in
      let flight = tables.flights[row.id - 1]
      let tail = flight.tailNumber?.lowercased() ?? ""
      return search.lowercased().split(separator: " ").allSatisfy { word in
        let codes = [flight.carrier, flight.origin, flight.destination, "\(flight.number)"]
        let names = [
          row.airline, row.destination == flight.destination ? "" : row.destination,
          flight.tailNumber.flatMap { models[$0] } ?? "",
        ]
        return codes.contains { $0.lowercased() == word }
          || names.contains { $0.lowercased().contains(word) }
          || tail == word || models[tail.uppercased()] != nil && tail.hasPrefix(word)
      }
    }
    let copy = Copy(presenter)
    try presenter.show(BoardRequest(search: search))
    #expect(presenter.board.flatMap(\.rows) == expected)
    #expect(copy.board == presenter.board)
    try presenter.show(BoardRequest())
    #expect(presenter.board.flatMap(\.rows) == all)
  }

  @Test func `F5: A renamed airline or aircraft changes every row that shows it, in one event`()
    throws
  {
    let replay = try replay()
    let presenter = replay.presenter
    let copy = Copy(presenter)
    let before = presenter.board.flatMap(\.rows)
    let jetBlue = before.filter { $0.flight.hasPrefix("B6 ") }
    #expect(jetBlue.count > 3)

    try replay.dispatcher.rename(airline: "B6", to: "Zephyr")
    #expect(copy.events == 1)
    #expect(copy.board == presenter.board)
    for row in presenter.board.flatMap(\.rows) {
      #expect((row.airline == "Zephyr") == row.flight.hasPrefix("B6 "))
    }
    let known = try #require(before.first { $0.aircraft.contains(" ") })
    let tailNumber = try #require(replay.dispatcher.tables.flights[known.id - 1].tailNumber)
    try replay.dispatcher.rename(aircraft: tailNumber, to: "Concorde")
    #expect(copy.events == 2)
    #expect(copy.board == presenter.board)
    let row = presenter.board.flatMap(\.rows).first { $0.id == known.id }
    #expect(row?.aircraft.hasSuffix(" Concorde") == true)
  }

  @Test func `The chosen row stays its flight while commits come, and when sections are switched`()
    throws
  {
    let replay = try replay()
    let presenter = replay.presenter
    _ = try presenter.page(height: 12)
    presenter.move(by: 5)
    let chosen = try #require(try presenter.page(height: 12).chosen)
    var stayed = 0
    for _ in 0..<20 {
      try replay.advance()
      let page = try presenter.page(height: 12)
      #expect(page.board.flatMap(\.rows).contains { $0.id == page.chosen })
      if page.chosen == chosen { stayed += 1 }
    }
    #expect(stayed > 3)
    let last = try #require(try presenter.page(height: 12).chosen)
    try presenter.show(BoardRequest(grouping: .carrier))
    try presenter.followChosen()
    #expect(try presenter.page(height: 12).chosen == last)
  }

  @Test(arguments: [3, 12, 40, 1000])
  func `Going down page by page shows each flight once, under its section`(height: Int) throws {
    let replay = try replay()
    let presenter = replay.presenter
    let counts = presenter.board.map(\.rows.count)
    var seen: [BoardRow] = []
    var position = 0
    while position < presenter.rowCount {
      presenter.choose(presenter.rowCount)
      _ = try presenter.page(height: height)
      // Up from the end, the chosen row is the first one.
      presenter.choose(position)
      let page = try presenter.page(height: height)
      #expect(page.total == presenter.rowCount)
      let rows = page.board.flatMap(\.rows).dropFirst(position - page.rowsBefore)
      #expect(rows.first?.id == page.chosen)
      for (section, count) in zip(page.board, page.counts) {
        let whole = presenter.board.first { $0.header == section.header }
        #expect(whole?.rows.count == count)
      }
      seen += rows
      position += rows.count
    }
    #expect(seen == presenter.board.flatMap(\.rows))
    #expect(counts == presenter.board.map(\.rows.count))
  }

  @Test func `A detail screen follows its flight, and stays when it leaves the board`() throws {
    let replay = try replay(ticks: 40)
    let presenter = replay.presenter
    let id = try #require(presenter.board.flatMap(\.rows).first?.id)
    let detail = try DetailPresenter(id, in: presenter.store, clocks: presenter.clocks) {
      presenter.clock
    }
    let flight = replay.dispatcher.tables.flights[id - 1]
    #expect(detail.page.title == "\(flight.carrier) \(flight.number)")
    #expect(!detail.page.isGone)
    #expect(detail.history.isEmpty)
    var statuses = detail.page.fields.filter { $0.name == "status" }.map(\.text)
    while !replay.remaining.isEmpty {
      try replay.advance()
      if let row = presenter.board.flatMap(\.rows).first(where: { $0.id == id }) {
        let status = try #require(detail.page.fields.first { $0.name == "status" })
        #expect(status.text == row.status.title)
        if statuses.last != status.text { statuses.append(status.text) }
      }
    }
    #expect(detail.page.isGone)
    #expect(detail.history.last?.text == "taken off the board")
    let told = detail.history.filter { $0.text.hasPrefix("status: ") }
    #expect(told.count == statuses.count - 1)
    try replay.dispatcher.rename(airline: flight.carrier, to: "Zephyr")
    #expect(throws: StoreError.self) {
      _ = try DetailPresenter(id, in: presenter.store, clocks: presenter.clocks) { "" }
    }
  }

  @Test func `The inspector shows each commit, what it changed and what that cost`() throws {
    let replay = try replay(ticks: 0)
    let presenter = replay.presenter
    let inspector = Inspector(presenter)
    var rows = 0
    let work = presenter.departures.work
    for _ in 0..<30 { try replay.advance() }
    for line in inspector.page.commits {
      #expect(line.objects.hasPrefix("Playhead ~1"))
      #expect(line.rows != "none")
      #expect(line.work != nil)
      rows += 1
    }
    #expect(rows == 30)
    #expect(
      inspector.page.commits.map(\.version)
        == Array((2...31).reversed()).map { "\($0)" })
    let candidates = inspector.page.commits.reduce(0) { sum, line in
      sum + (line.work?.candidates ?? 0)
    }
    #expect(candidates == presenter.departures.work.candidates - work.candidates)
    try replay.dispatcher.rename(airline: "B6", to: "Zephyr")
    #expect(inspector.page.commits.first?.objects == "rename B6: Airline ~1")
    try presenter.show(BoardRequest(grouping: .origin))
    let newest = try #require(inspector.page.commits.first)
    #expect(newest.objects.hasPrefix("other sections or search"))

    let results = inspector.page.results
    #expect(results.map(\.title) == ["Departure, all rows", "Stage, all rows"])
    #expect(results.allSatisfy { $0.models == 1 })
    #expect(results.first?.rows == presenter.rowCount)
    // The presenter's two models, and the inspector.
    #expect(inspector.page.subscriptions == 4)
  }
}
