import Testing

@testable import Departures
@testable import DeparturesModel

struct ClocksTests {
  @Test func `A day has one offset, and shows no day`() {
    let clocks = Clocks([Day(year: 2013, month: 2, day: 8): -300])
    let noon = Day(year: 2013, month: 2, day: 8).start(offset: -300) + 720
    #expect(clocks.offset(at: noon) == -300)
    #expect(clocks.clock(noon) == "12:00")
  }

  @Test func `In a year the clocks are changed with the days`() {
    let days = [
      Day(year: 2013, month: 3, day: 9): -300, Day(year: 2013, month: 3, day: 10): -240,
      Day(year: 2013, month: 11, day: 2): -240, Day(year: 2013, month: 11, day: 3): -300,
    ]
    let clocks = Clocks(days)
    for (day, offset) in days {
      let noon = day.start(offset: offset) + 720
      #expect(clocks.offset(at: noon) == offset)
      #expect(
        clocks.clock(noon) == "\(day)".split(separator: "-").dropFirst().joined(separator: "-")
          + " 12:00")
    }
  }

  @Test func `A day and the days since 1970 are one the other's inverse`() {
    for days in stride(from: -200_000, to: 200_000, by: 13) {
      #expect(Day(sinceEpoch: days).sinceEpoch == days)
    }
    #expect(Day(sinceEpoch: 0) == Day(year: 1970, month: 1, day: 1))
    #expect(Day(sinceEpoch: 15_764) == Day(year: 2013, month: 2, day: 28))
  }
}
