import Foundation
import Testing

@testable import Departures
@testable import DeparturesModel

struct DayTests {
  @Test(arguments: ["2013-11-27", "11-27", "02-08", "2000-02-29"])
  func `A wanted day reads as it was written`(text: String) {
    #expect(WantedDay(text)?.description == text)
  }

  @Test(arguments: [
    "", "2013", "13-01", "00-10", "02-32", "2-8", "2013-2-8", "2013/02/08", "02-08-2013", "-1-02",
    "02-08-", "2013-02-0x", "+2-08",
  ])
  func `Anything else is no day`(text: String) {
    #expect(WantedDay(text) == nil)
  }

  @Test func `A day without a year matches any year's`() throws {
    let day = Day(year: 2013, month: 2, day: 8)
    let (any, same, other) = (WantedDay("02-08"), WantedDay("2013-02-08"), WantedDay("2014-02-08"))
    #expect(try #require(any).matches(day))
    #expect(try #require(same).matches(day))
    #expect(try !#require(other).matches(day))
  }

  @Test func `Days since 1970 are those of the Gregorian calendar`() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let start = try #require(
      calendar.date(from: DateComponents(year: 1899, month: 12, day: 1)))
    for offset in stride(from: 0, to: 120_000, by: 29) {
      let date = start.addingTimeInterval(Double(offset) * 86_400)
      let parts = calendar.dateComponents([.year, .month, .day], from: date)
      let day = Day(
        year: try #require(parts.year), month: try #require(parts.month),
        day: try #require(parts.day))
      #expect(day.sinceEpoch == Int(date.timeIntervalSince1970) / 86_400, "\(day)")
    }
  }

  @Test func `The start of an hour is read, and nothing else`() {
    #expect(Minute(hour: "1970-01-02T01:00:00Z") == Minute(sinceEpoch: 1500))
    #expect(Minute(hour: "2013-02-08T10:00:00Z") == Minute(sinceEpoch: 1_360_317_600 / 60))
    for text in [
      "", "NA", "2013-02-08 10:00:00Z", "2013-02-08T10:30:00Z", "2013-02-08T10:00:00",
      "2013-02-08T24:00:00Z", "2013-13-08T10:00:00Z", "2013-02-08T10:00:00Z ",
      "2013-02-08T1Z:00:00Z",
    ] {
      #expect(Minute(hour: text) == nil, "\(text)")
    }
  }

  @Test func `A clock shows the local time, also across midnight`() {
    let minute = Minute(sinceEpoch: 24 * 60 + 90)
    #expect(minute.clock(offset: 0) == "01:30")
    #expect(minute.clock(offset: -300) == "20:30")
    #expect(minute.clock(offset: 60) == "02:30")
    #expect(Minute(sinceEpoch: 10).clock(offset: -20) == "23:50")
  }
}
