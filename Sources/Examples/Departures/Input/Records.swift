/// A row of airlines.csv.
struct AirlineRecord: Hashable {
  var code: String
  var name: String
}

/// A row of airports.csv.
struct AirportRecord: Hashable {
  var code: String
  var name: String
}

/// A row of planes.csv.
struct PlaneRecord: Hashable {
  var tailNumber: String
  var manufacturer: String
  var model: String
  var seats: Int
  /// The year it was built, if known.
  var year: Int?
}

/// A row of flights.csv.
///
/// `arr_time`, `arr_delay` and the local HHMM columns are left alone: `scheduled` with the delay and
/// the time in the air says everything the board needs, and means the same in every time zone.
struct Flight: Hashable, Identifiable {
  /// Its row among the rows of the day, or of the year, counted from 1.
  ///
  /// Date, carrier and number aren't unique.
  var id: Int
  var carrier: String
  var number: Int
  /// Unknown for 2,512 flights of the year; a further 52,606 name a plane that planes.csv lacks.
  var tailNumber: String?
  var origin: String
  /// May be missing from airports.csv: BQN, PSE, SJU and STT are.
  var destination: String
  var scheduled: Minute
  /// Minutes between plan and departure, below zero if early; nil for a flight that never left.
  var delay: Int?
  /// Minutes in the air; nil for a flight that never left or didn't reach its destination.
  var airTime: Int?
  /// Miles to the destination.
  var distance: Int
}

/// The tables of a day or a year: all that a run needs from the files.
struct DayTables: Hashable {
  /// The day, or the first one.
  var day: Day
  /// The last day of a year; nil for a day.
  var lastDay: Day?
  var clocks: Clocks
  var airlines: [AirlineRecord]
  var airports: [AirportRecord]
  var planes: [PlaneRecord]
  /// In the order of the file.
  var flights: [Flight]

  /// Whether they are of a year: then all flights are on the board from the start to the end.
  var isYear: Bool { lastDay != nil }

  /// Minutes that New York's clocks were ahead of UTC on the first day: -300 or -240.
  var clockOffset: Int { clocks.offset(at: day.start(offset: 0)) }

  /// Such as `2013-02-08`, or `2013-01-01 to 2013-12-31`.
  var title: String { "\(day)" + (lastDay.map { " to \($0)" } ?? "") }
}
