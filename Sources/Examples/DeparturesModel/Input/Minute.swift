/// A minute in time, independent of the time zone: minutes since 1 January 1970 in UTC.
///
/// The tables give times as local HHMM, without the day and the zone. Only `time_hour` is complete,
/// so every time here is one of those plus minutes.
public struct Minute: Hashable, Comparable, Sendable {
  /// The number of minutes since 1 January 1970 in UTC.
  public var sinceEpoch: Int

  /// Creates a minute.
  public init(sinceEpoch: Int) { self.sinceEpoch = sinceEpoch }

  /// Returns true if the first one is earlier.
  public static func < (left: Minute, right: Minute) -> Bool { left.sinceEpoch < right.sinceEpoch }
  /// Returns the minute that is this number of minutes later.
  public static func + (left: Minute, right: Int) -> Minute {
    Minute(sinceEpoch: left.sinceEpoch + right)
  }
  /// Returns the minute that is this number of minutes earlier.
  public static func - (left: Minute, right: Int) -> Minute { left + -right }
  /// Returns the number of minutes from the second one to the first.
  public static func - (left: Minute, right: Minute) -> Int { left.sinceEpoch - right.sinceEpoch }

  /// Returns the local time, such as `05:30`, for a clock that is `offset` minutes ahead of UTC.
  public func clock(offset: Int) -> String {
    let minutesOfDay = ((sinceEpoch + offset) % 1440 + 1440) % 1440
    return twoDigits(minutesOfDay / 60) + ":" + twoDigits(minutesOfDay % 60)
  }
}

extension Minute {
  /// Parses the start of an hour in UTC, such as `2013-02-08T10:00:00Z`.
  ///
  /// The result is nil for anything else.
  public init?(hour text: String) {
    let digits = text.utf8.enumerated().map { index, byte -> Int? in
      switch index {
      case 4, 7: byte == UInt8(ascii: "-") ? 0 : nil
      case 10: byte == UInt8(ascii: "T") ? 0 : nil
      case 13, 16: byte == UInt8(ascii: ":") ? 0 : nil
      case 19: byte == UInt8(ascii: "Z") ? 0 : nil
      default: (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) ? Int(byte - 48) : nil
      }
    }.compactMap { $0 }
    guard digits.count == 20, text.utf8.count == 20 else { return nil }
    func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + $1 } }
    let day = Day(year: number(0..<4), month: number(5..<7), day: number(8..<10))
    let hour = number(11..<13)
    guard (1...12).contains(day.month), (1...31).contains(day.day), hour < 24,
      number(14..<16) == 0, number(17..<19) == 0
    else { return nil }
    sinceEpoch = day.sinceEpoch * 1440 + hour * 60
  }
}
