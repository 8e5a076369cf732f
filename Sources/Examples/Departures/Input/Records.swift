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
  /// The year in which it was built, if known.
  var year: Int?
}

/// A row of flights.csv.
///
/// `arr_time`, `arr_delay` and the local HHMM columns are ignored. The board needs only
/// `scheduled`, the delay and the time in the air. These have the same meaning in every time zone.
struct Flight: Hashable, Identifiable {
  /// The number of its row among the rows of the day, or of the year, counted from 1.
  ///
  /// Date, carrier and number aren't unique.
  var id: Int
  var carrier: String
  var number: Int
  /// The tail number of the plane.
  ///
  /// It is unknown for 2,512 flights of the year. A further 52,606 name a plane that planes.csv
  /// lacks.
  var tailNumber: String?
  var origin: String
  /// The airport.
  ///
  /// It may be missing from airports.csv: BQN, PSE, SJU and STT are.
  var destination: String
  var scheduled: Minute
  /// The number of minutes between the planned and the actual departure, or nil for a flight that
  /// never left.
  ///
  /// It is negative if the flight left early.
  var delay: Int?
  /// The number of minutes in the air, or nil for a flight that never left or didn't reach its
  /// destination.
  var airTime: Int?
  /// The number of miles to the destination.
  var distance: Int
}

/// The tables of a day or a year: all data from the files that a run needs.
struct DayTables: Hashable {
  /// The day, or the first one.
  var day: Day
  /// The last day of a year, or nil for a single day.
  var lastDay: Day?
  var clocks: Clocks
  var airlines: [AirlineRecord]
  var airports: [AirportRecord]
  var planes: [PlaneRecord]
  /// The flights, in the order of the file.
  var flights: [Flight]

  /// True if the tables are of a year.
  ///
  /// Then all flights are on the board from the start to the end.
  var isYear: Bool { lastDay != nil }

  /// The number of minutes that New York's clocks were ahead of UTC on the first day: -300 or -240.
  var clockOffset: Int { clocks.offset(at: day.start(offset: 0)) }

  /// The title, such as `2013-02-08`, or `2013-01-01 to 2013-12-31`.
  var title: String { "\(day)" + (lastDay.map { " to \($0)" } ?? "") }
}
