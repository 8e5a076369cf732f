import Foundation
import LineProgram

/// The dates that a user writes.
enum DueDate {
  static let forms = "10:30, +20m, +2h, +3d, tomorrow, 2026-06-29, 2026-06-29 10:30 or none"

  /// Returns the date that a text names, or nil for `none`.
  ///
  /// A day without a time is 18:00 of that day.
  static func parse(_ text: String, now: Date, calendar: Calendar) throws(InputError) -> Date? {
    if text == "none" { return nil }
    let words = text.split(separator: " ").map(String.init)
    guard let first = words.first,
      let date = interval(text, from: now, calendar)
        ?? time(text, of: now, calendar)
        ?? day(first, now, calendar).flatMap({ day in
          words.count > 2 ? nil : time(words.count == 2 ? words[1] : "18:00", of: day, calendar)
        })
    else { throw InputError("\"\(text)\" is no date; write \(forms)") }
    return date
  }

  private static func interval(_ text: String, from now: Date, _ calendar: Calendar) -> Date? {
    guard text.hasPrefix("+"), let unit = text.last, let count = Int(text.dropFirst().dropLast()),
      (1...100_000).contains(count)
    else { return nil }
    let components: [Character: Calendar.Component] = ["m": .minute, "h": .hour, "d": .day]
    return components[unit].flatMap { calendar.date(byAdding: $0, value: count, to: now) }
  }

  private static func time(_ text: String, of day: Date, _ calendar: Calendar) -> Date? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let hour = parts[0], let minute = parts[1],
      (0...23).contains(hour), (0...59).contains(minute)
    else { return nil }
    return calendar.date(bySettingHour: hour, minute: minute, second: 0, of: day)
  }

  private static func day(_ text: String, _ now: Date, _ calendar: Calendar) -> Date? {
    if text == "today" { return now }
    if text == "tomorrow" { return calendar.date(byAdding: .day, value: 1, to: now) }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2],
      (1...9999).contains(year)
    else { return nil }
    let components = DateComponents(year: year, month: month, day: day)
    return components.isValidDate(in: calendar) ? calendar.date(from: components) : nil
  }
}
