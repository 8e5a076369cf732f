/// A row of airlines.csv.
public struct AirlineRecord: Hashable, Sendable {
  /// The code, such as `UA` or `EWR`.
  public var code: String
  /// The name.
  public var name: String

  /// The lengths of a name, in characters.
  static let nameLengths = 1...80
}

/// A row of airports.csv.
public struct AirportRecord: Hashable, Sendable {
  /// The code, such as `UA` or `EWR`.
  public var code: String
  /// The name.
  public var name: String
}

/// A row of planes.csv.
public struct PlaneRecord: Hashable, Sendable {
  /// The tail number.
  public var tailNumber: String
  /// The company that built it.
  public var manufacturer: String
  /// The model, such as `737-824`.
  public var model: String
  /// The number of seats.
  public var seats: Int
  /// The year in which it was built, if known.
  public var year: Int?
}

/// A row of flights.csv.
///
/// `arr_time`, `arr_delay` and the local HHMM columns are ignored. The board needs only
/// `scheduled`, the delay and the time in the air. These have the same meaning in every time zone.
public struct Flight: Hashable, Identifiable, Sendable {
  /// The number of its row among the rows of the day, or of the year, counted from 1.
  ///
  /// Date, carrier and number aren't unique.
  public var id: Int
  /// The code of the airline.
  public var carrier: String
  /// The number of the flight.
  public var number: Int
  /// The tail number of the plane.
  ///
  /// It is unknown for 2,512 flights of the year. A further 52,606 name a plane that planes.csv
  /// lacks.
  public var tailNumber: String?
  /// The airport of departure.
  public var origin: String
  /// The airport.
  ///
  /// It may be missing from airports.csv: BQN, PSE, SJU and STT are.
  public var destination: String
  /// The minute of the scheduled departure.
  public var scheduled: Minute
  /// The number of minutes between the planned and the actual departure, or nil for a flight that
  /// never left.
  ///
  /// It is negative if the flight left early.
  public var delay: Int?
  /// The number of minutes in the air, or nil for a flight that never left or didn't reach its
  /// destination.
  public var airTime: Int?
  /// The number of miles to the destination.
  public var distance: Int
}

/// The tables of a day or a year: all data from the files that a run needs.
public struct DayTables: Hashable, Sendable {
  /// The day, or the first one.
  public var day: Day
  /// The last day of a year, or nil for a single day.
  public var lastDay: Day?
  /// New York's clocks on these days.
  public var clocks: Clocks
  /// The airlines.
  public var airlines: [AirlineRecord]
  /// The airports.
  public var airports: [AirportRecord]
  /// The planes.
  public var planes: [PlaneRecord]
  /// The flights, in the order of the file.
  public var flights: [Flight]

  /// True if the tables are of a year.
  ///
  /// Then all flights are on the board from the start to the end.
  public var isYear: Bool { lastDay != nil }

  /// The number of minutes that New York's clocks were ahead of UTC on the first day: -300 or -240.
  public var clockOffset: Int { clocks.offset(at: day.start(offset: 0)) }

  /// The title, such as `2013-02-08`, or `2013-01-01 to 2013-12-31`.
  public var title: String { "\(day)" + (lastDay.map { " to \($0)" } ?? "") }
}
