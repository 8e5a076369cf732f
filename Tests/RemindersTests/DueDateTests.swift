import Foundation
import LineProgram
import Testing

@testable import Reminders

@MainActor struct DueDateTests {
  private let calendar: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()

  @Test(arguments: [
    ("10:30", "2026-06-29T10:30:00Z"), ("+20m", "2026-06-29T09:20:00Z"),
    ("+2h", "2026-06-29T11:00:00Z"), ("+3d", "2026-07-02T09:00:00Z"),
    ("today", "2026-06-29T18:00:00Z"), ("tomorrow", "2026-06-30T18:00:00Z"),
    ("tomorrow 8:05", "2026-06-30T08:05:00Z"), ("2026-12-31", "2026-12-31T18:00:00Z"),
    ("2026-12-31 0:00", "2026-12-31T00:00:00Z"),
  ])
  func `A date can be written in these forms`(text: String, date: String) throws {
    let parsed = try DueDate.parse(text, now: RemindersFixture.monday, calendar: calendar)
    #expect(parsed?.formatted(.iso8601) == date)
  }

  @Test func `No date is a date, too`() throws {
    #expect(try DueDate.parse("none", now: .now, calendar: calendar) == nil)
  }

  @Test(arguments: [
    "", "soon", "24:00", "9:60", "+0m", "+9", "+h", "2026-02-30", "2026-6", "today 9:00 sharp",
    "9", ":", "+999999999999d", "0-0-0",
  ])
  func `All else is refused, and the forms are named`(text: String) {
    let error = #expect(throws: InputError.self) {
      try DueDate.parse(text, now: RemindersFixture.monday, calendar: calendar)
    }
    #expect(error?.description == "\"\(text)\" is no date; write \(DueDate.forms)")
  }
}
