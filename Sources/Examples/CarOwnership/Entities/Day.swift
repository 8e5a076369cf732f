/// A calendar day without a time or a time zone, such as a birthdate.
///
/// The digits of its raw value are the date: 19800504 is 4 May 1980.
struct Day: RawRepresentable, Hashable, Comparable, Sendable {
  let rawValue: Int

  init(rawValue: Int) { self.rawValue = rawValue }

  /// Creates a day, or nil if the calendar has no such day.
  init?(year: Int, month: Int, day: Int) {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard (1...9999).contains(year), (1...12).contains(month),
      (1...lengths[month - 1]).contains(day)
    else { return nil }
    rawValue = year * 10_000 + month * 100 + day
  }

  var year: Int { rawValue / 10_000 }
  var month: Int { rawValue / 100 % 100 }
  var day: Int { rawValue % 100 }

  static func < (left: Day, right: Day) -> Bool { left.rawValue < right.rawValue }
}
