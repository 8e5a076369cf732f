/// New York's clocks on the days of the tables: their offsets from UTC, and when these begin.
public struct Clocks: Hashable, Sendable {
  private struct Change: Hashable, Sendable {
    var start: Minute
    var offset: Int
  }

  /// The changes in order.
  ///
  /// The first offset also applies to earlier times.
  private var changes: [Change]
  /// True if times are shown with their day, because the board has many days.
  public var showsDay: Bool

  /// Creates clocks with one offset from UTC, in minutes, for all days.
  public init(offset: Int) {
    changes = [Change(start: Minute(sinceEpoch: 0), offset: offset)]
    showsDay = false
  }

  /// Creates clocks with the offset of each day.
  ///
  /// Clocks change at two in the night, when no flight leaves. So a day has one offset.
  public init(_ days: [Day: Int]) {
    var changes: [Change] = []
    for (day, offset) in days.sorted(by: { $0.key < $1.key }) where changes.last?.offset != offset {
      changes.append(Change(start: day.start(offset: offset), offset: offset))
    }
    self.init(offset: 0)
    if !changes.isEmpty { self.changes = changes }
    showsDay = days.count > 1
  }

  /// Returns the number of minutes that the clocks are ahead of UTC.
  public func offset(at minute: Minute) -> Int {
    (changes.last { $0.start <= minute } ?? changes[0]).offset
  }

  /// Returns the time on the clocks, such as `05:30`, or `02-08 05:30` if there are many days.
  public func clock(_ minute: Minute) -> String {
    let offset = offset(at: minute)
    let clock = minute.clock(offset: offset)
    guard showsDay else { return clock }
    let day = Day(sinceEpoch: (minute.sinceEpoch + offset).dividedDown(by: 1440))
    return "\(twoDigits(day.month))-\(twoDigits(day.day)) \(clock)"
  }
}

extension Day {
  /// Returns the first minute of the day, for clocks that are `offset` minutes ahead of UTC.
  public func start(offset: Int) -> Minute { Minute(sinceEpoch: sinceEpoch * 1440 - offset) }

  /// Creates the day that is this number of days after 1 January 1970.
  public init(sinceEpoch: Int) {
    // Years begin in March, so that the leap day is last.
    let days = sinceEpoch + 719_468
    let era = days.dividedDown(by: 146_097)
    let dayOfEra = days - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let march = (5 * dayOfYear + 2) / 153
    month = march < 10 ? march + 3 : march - 9
    day = dayOfYear - (153 * march + 2) / 5 + 1
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }
}

extension Int {
  /// Returns the quotient, rounded down.
  fileprivate func dividedDown(by divisor: Int) -> Int {
    (self >= 0 ? self : self - divisor + 1) / divisor
  }
}
