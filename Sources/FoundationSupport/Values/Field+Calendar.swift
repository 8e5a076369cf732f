@_spi(Storage) public import EntityStore
public import Foundation
internal import Locking

extension Field where Value == Date {
  /// Returns a part of the date in a calendar, such as the year or the hour; nil for nil.
  ///
  ///     query.filter { $0.birthday.component(.month, in: calendar) == 5 }
  ///
  /// A date before the year 1 or after the year 9999 has none. SQL has no such function, so the
  /// store computes it for each row.
  ///
  /// - Parameters:
  ///   - component: the part: a period from `.era` to `.second`, `.weekday`, `.weekdayOrdinal` or
  ///     `.nanosecond`.
  ///   - calendar: the calendar, with its time zone. Give one that stays the same:
  ///     `Calendar.current` and not `Calendar.autoupdatingCurrent`.
  /// - Returns: the number that `Calendar.component(_:from:)` returns.
  /// - Precondition: the component is one of these.
  public func component(_ component: Calendar.Component, in calendar: Calendar) -> Field<Root, Int>
  {
    mustHold(
      component.isNumber,
      "A query can't have the component \(component) of a date; ask for a period or the weekday"
    )
    return computed("component(\(component))", component, calendar) {
      StoredValue.integer(Int64(calendar.component(component, from: $0)))
    }
  }

  /// Returns the start of the day, month or other period that the date is in; nil for nil.
  ///
  ///     query.sectioned { $0.sentAt.start(of: .day, in: calendar) }
  ///
  /// A date before the year 1 or after the year 9999 has none. SQL has no such function, so the
  /// store computes it for each row.
  ///
  /// - Parameters:
  ///   - component: the period, from `.era` to `.second`.
  ///   - calendar: the calendar, with its time zone. Give one that stays the same:
  ///     `Calendar.current` and not `Calendar.autoupdatingCurrent`.
  /// - Returns: the start that `Calendar.dateInterval(of:for:)` returns.
  /// - Precondition: the component is a period.
  public func start(of component: Calendar.Component, in calendar: Calendar) -> Field {
    mustHold(
      component.isPeriod,
      "The component \(component) of a date is no period; ask for the start of a day or a month")
    return computed("start(of: \(component))", component, calendar) {
      calendar.dateInterval(of: component, for: $0)?.start.storedValue ?? .null
    }
  }

  private func computed<Result>(
    _ name: String, _ component: Calendar.Component, _ calendar: Calendar,
    _ compute: @escaping @Sendable (Date) -> StoredValue
  ) -> Field<Root, Result> {
    let custom = CustomComputation(name: name, identity: calendar) { value in
      // Calendars aren't made for all numbers of seconds, and some would trap.
      guard case .real(let seconds) = value, Self.calendarSeconds.contains(seconds) else {
        return .null
      }
      return compute(Date(timeIntervalSince1970: seconds))
    }
    return Field<Root, Result>(.computed(.custom(custom), [expression]))
  }

  /// The years 1 to 9999 in UTC.
  private static var calendarSeconds: Range<Double> { -62_135_596_800..<253_402_300_800 }
}

extension Calendar.Component {
  fileprivate var isPeriod: Bool {
    switch self {
    case .era, .year, .yearForWeekOfYear, .quarter, .month, .weekOfYear, .weekOfMonth, .day, .hour,
      .minute, .second:
      true
    default: false
    }
  }

  fileprivate var isNumber: Bool {
    switch self {
    case .weekday, .weekdayOrdinal, .nanosecond: true
    default: isPeriod
    }
  }
}
