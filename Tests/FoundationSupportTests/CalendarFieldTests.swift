@_spi(Storage) import EntityStore
import Fixtures
import Foundation
import FoundationSupport
import TestSupport
import Testing

private struct Meeting: Entity {
  let id: Int
  var start: Date?
  static let attributes = Attributes(.id(\Meeting.id), .attribute("start", \.start))
  static let schema = Schema(attributes, Meeting.init)
}

@Suite struct `S7: parts of a date in a calendar` {
  private static func calendar(_ zone: String) throws -> Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: zone))
    return calendar
  }

  private static func date(_ text: String) throws -> Date {
    try Date(text, strategy: .iso8601)
  }

  private func makeStore(_ storage: TestStorage, _ dates: [Date?]) throws -> Store {
    let store = try storage.makeStore(Meeting.self)
    try store.commit { draft in
      try draft.insert(contentsOf: dates.enumerated().map { Meeting(id: $0, start: $1) })
    }
    return store
  }

  @Test(arguments: TestStorage.allCases)
  func `A component is that of the calendar and its zone; nil has none`(_ storage: TestStorage)
    throws
  {
    let dates = try [
      Self.date("2026-03-28T23:30:00Z"), nil, Self.date("2026-12-31T23:59:59Z"),
      Self.date("1969-07-20T20:17:40Z"),
    ]
    let store = try makeStore(storage, dates)
    for zone in ["UTC", "Europe/Berlin", "America/New_York"] {
      let calendar = try Self.calendar(zone)
      for component in [Calendar.Component.year, .month, .day, .hour, .weekday] {
        let query = Query<Meeting>().sorted {
          [$0.start.component(component, in: calendar).ascending]
        }
        let keys = dates.map { $0.map { calendar.component(component, from: $0) } ?? .min }
        let expected = keys.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }
        #expect(try store.fetch(query).map(\.id) == expected, "\(zone) \(component)")
      }
    }
  }

  @Test(arguments: TestStorage.allCases)
  func `The start of a day follows the zone, also when clocks change`(_ storage: TestStorage) throws
  {
    let dates = try (0..<60).map { try Self.date("2026-03-28T12:00:00Z") + 3600 * Double($0) }
    let store = try makeStore(storage, dates)
    let berlin = try Self.calendar("Europe/Berlin")
    let days = try store.counts(of: Query<Meeting>()) { $0.start.start(of: .day, in: berlin) }
    let expected = try [
      "2026-03-27T23:00:00Z", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z",
      "2026-03-30T22:00:00Z",
    ].map(Self.date)
    #expect(days.map(\.value) == expected)
    // The day on which the clocks change has 23 hours.
    #expect(days.map(\.count) == [11, 23, 24, 2])
  }

  @Test(arguments: TestStorage.allCases)
  func `A date that no calendar is made for has no parts, and traps nowhere`(
    _ storage: TestStorage
  ) throws {
    let seconds = [
      -Double.infinity, .infinity, 1e300, -1e300, 1e15, -1e15, 253_402_300_800, -62_135_596_801,
      -62_135_596_800, 253_402_300_799,
    ]
    let store = try makeStore(storage, seconds.map { Date(timeIntervalSince1970: $0) })
    let calendar = try Self.calendar("UTC")
    let query = Query<Meeting>().filter { $0.start.component(.day, in: calendar) != nil }
    #expect(try store.fetch(query).map(\.id) == [8, 9])
    let starts = Query<Meeting>().filter { $0.start.start(of: .month, in: calendar) != nil }
    #expect(try store.fetch(starts).map(\.id) == [8, 9])
  }

  @Test func `Two queries are equal if part and calendar are`() throws {
    let (utc, berlin) = try (Self.calendar("UTC"), Self.calendar("Europe/Berlin"))
    func query(_ component: Calendar.Component, _ calendar: Calendar) -> QueryDescription {
      Query<Meeting>().sectioned { $0.start.start(of: component, in: calendar) }.description
    }
    #expect(query(.day, utc) == query(.day, utc))
    #expect(query(.day, utc).hashValue == query(.day, utc).hashValue)
    #expect(query(.day, utc) != query(.month, utc))
    #expect(query(.day, utc) != query(.day, berlin))
    #expect("\(query(.day, utc))" == "Meeting in sections by Meeting.start.start(of: day)")
  }

  @Test func `What isn't a number or a period traps with a sentence`() async throws {
    let number = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = Query<Meeting>().filter { $0.start.component(.timeZone, in: .current) == 1 }
    }
    number.expectMessage("A query can't have the component timeZone of a date", inRelease: true)
    let period = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = Query<Meeting>().filter { $0.start.start(of: .weekday, in: .current) == nil }
    }
    period.expectMessage("The component weekday of a date is no period", inRelease: true)
  }
}
