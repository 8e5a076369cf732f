/// A calendar day, in the format of the tables and of `--day`.
public struct Day: Hashable, Comparable, CustomStringConvertible, Sendable {
  /// The year.
  public var year: Int
  /// The month, from 1 to 12.
  public var month: Int
  /// The day of the month.
  public var day: Int

  /// Returns true if the first one is earlier.
  public static func < (left: Day, right: Day) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }

  /// The day, such as `2013-02-08`.
  public var description: String {
    "\(year)-\(twoDigits(month))-\(twoDigits(day))"
  }

  /// The number of days from 1 January 1970 to this one.
  public var sinceEpoch: Int {
    // Years begin in March, so that the leap day is last.
    let year = month <= 2 ? self.year - 1 : self.year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }
}

/// A requested day: with its year, or else the first such day in the file.
public struct WantedDay: Hashable, CustomStringConvertible, Sendable {
  /// The year, or nil for the first such day.
  public var year: Int?
  /// The month, from 1 to 12.
  public var month: Int
  /// The day of the month.
  public var day: Int

  /// Parses `YYYY-MM-DD` or `MM-DD`.
  ///
  /// The result is nil for anything else.
  public init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let widths = parts.map(\.utf8.count)
    guard widths == [4, 2, 2] || widths == [2, 2],
      text.utf8.allSatisfy({
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || $0 == UInt8(ascii: "-")
      })
    else { return nil }
    let numbers = parts.compactMap { Int($0) }
    guard numbers.count == parts.count, let day = numbers.last, (1...31).contains(day) else {
      return nil
    }
    month = numbers[numbers.count - 2]
    guard (1...12).contains(month) else { return nil }
    self.day = day
    year = numbers.count == 3 ? numbers[0] : nil
  }

  /// Returns true if the day is the requested one.
  public func matches(_ other: Day) -> Bool {
    month == other.month && day == other.day && (year ?? other.year) == other.year
  }

  /// The text for messages.
  public var description: String {
    (year.map { "\($0)-" } ?? "") + "\(twoDigits(month))-\(twoDigits(day))"
  }
}

/// Returns a number from 0 to 99 with two digits.
public func twoDigits(_ number: Int) -> String {
  number < 10 ? "0\(number)" : "\(number)"
}
