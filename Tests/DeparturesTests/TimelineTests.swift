import Testing

@testable import Departures
@testable import DeparturesModel

struct TimelineTests {
  private let noon = Minute(sinceEpoch: 12 * 60)

  private func flight(
    _ id: Int = 1, at scheduled: Minute? = nil, delay: Int?, airTime: Int? = 60,
    distance: Int = 400
  ) -> Flight {
    Flight(
      id: id, carrier: "UA", number: 1, tailNumber: nil, origin: "EWR", destination: "ORD",
      scheduled: scheduled ?? noon, delay: delay, airTime: airTime, distance: distance)
  }

  /// The steps as minutes around the scheduled departure.
  private func steps(_ flight: Flight) -> [(Int, Step.Kind)] {
    flight.steps.map { ($0.time - flight.scheduled, $0.kind) }
  }

  private func expect(_ flight: Flight, _ expected: [(Int, Step.Kind)]) {
    let found = steps(flight)
    #expect(found.map(\.0) == expected.map(\.0))
    #expect(found.map(\.1) == expected.map(\.1))
  }

  @Test func `A punctual flight comes, boards, leaves, lands and goes`() {
    expect(
      flight(delay: 5),
      [(-120, .show), (-15, .board), (5, .depart), (65, .land), (95, .remove)])
  }

  @Test func `An early flight boards early`() {
    expect(
      flight(delay: -43),
      [(-120, .show), (-63, .board), (-43, .depart), (17, .land), (47, .remove)])
  }

  @Test func `A delay is admitted bit by bit`() {
    expect(
      flight(delay: 100),
      [
        (-120, .show), (-30, .delay(until: noon + 30)), (0, .delay(until: noon + 60)),
        (30, .delay(until: noon + 100)), (80, .board), (100, .depart), (160, .land),
        (190, .remove),
      ])
  }

  @Test func `A cancelled flight is shown as such`() {
    expect(
      flight(delay: nil, airTime: nil), [(-120, .show), (-60, .cancel), (120, .remove)])
  }

  @Test func `A flight without a time in the air is diverted when it should have landed`() {
    expect(
      flight(delay: 0, airTime: nil),
      [(-120, .show), (-20, .board), (0, .depart), (68, .divert), (98, .remove)])
  }

  @Test func `Whatever the delay, the steps follow each other and end in truth`() {
    for delay in -60...1500 {
      let flight = flight(delay: delay)
      let times = flight.steps.map(\.time)
      #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 }, "\(delay)")
      let announced = flight.steps.compactMap { step -> Minute? in
        if case .delay(let time) = step.kind { time } else { nil }
      }
      #expect(announced.isEmpty == (delay < 15), "\(delay)")
      #expect(announced.last ?? flight.departed == flight.departed, "\(delay)")
      #expect(zip(announced, announced.dropFirst()).allSatisfy { $0 < $1 }, "\(delay)")
    }
  }

  @Test func `Steps of one minute are one tick, in order of flight`() {
    let day = Day(year: 1970, month: 1, day: 1)
    let timeline = Timeline(
      flights: [flight(2, delay: 5), flight(1, delay: 5), flight(3, at: noon + 20, delay: 5)],
      day: day, clockOffset: 0)
    #expect(timeline.ticks.map(\.number) == Array(1...timeline.ticks.count))
    #expect(timeline.ticks.map(\.time).sorted() == timeline.ticks.map(\.time))
    #expect(timeline.ticks.first?.steps.map(\.flight) == [1, 2])
    let departs = timeline.ticks.first { $0.steps.contains { $0.kind == .depart } }
    #expect(departs?.steps.map(\.kind) == [.depart, .depart, .board])
  }

  @Test func `The day ends at 23:59 on New York's clocks, in the middle of what happens`() {
    // 22:30 in New York is 3:30 of the next day in UTC.
    let late = Minute(sinceEpoch: 1440 + 3 * 60 + 30)
    let timeline = Timeline(
      flights: [flight(at: late, delay: 40)], day: Day(year: 1970, month: 1, day: 1),
      clockOffset: -300)
    #expect(timeline.end.clock(offset: -300) == "23:59")
    #expect(timeline.end == Minute(sinceEpoch: 1440 + 5 * 60 - 1))
    #expect(timeline.ticks.last?.steps.map(\.kind) == [.depart])
    #expect(timeline.ticks.allSatisfy { $0.time <= timeline.end })
  }

  @Test func `The bundled day shows and ends every flight as the tables say`() throws {
    let tables = try bundledTables()
    var board = ReferenceBoard(tables, by: .status)
    for tick in Timeline(tables).ticks { board.apply(tick) }
    #expect(board.soFar[.scheduled] == 930)
    #expect(board.soFar[.cancelled] == 472)
    #expect(board.soFar[.departed] == 458)
    #expect(board.soFar[.diverted] == 3)
    #expect(!board.board.isEmpty)
    #expect(board.board.rowCount < 100)
  }
}
