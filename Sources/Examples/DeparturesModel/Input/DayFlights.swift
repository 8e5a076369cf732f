/// The flights of one day in flights.csv, or those of all days.
///
/// In rows of other days, only the date and the number of fields are checked.
package struct DayFlights {
  package private(set) var day: Day
  /// The last day, if all were read.
  package private(set) var lastDay: Day?
  package private(set) var clocks: Clocks
  package private(set) var flights: [Flight] = []

  package init(
    _ reader: consuming CSVReader, day wanted: WantedDay?, readsYear: Bool, airlines: Set<String>,
    airports: Set<String>
  ) throws(InputError) {
    let columns = try Columns(reader)
    var found: Day?
    var days: (first: Day, last: Day)?
    var offsets: [Day: Int] = [:]
    while try reader.next() {
      let day = try columns.day(of: reader)
      let (first, last) = (min(day, days?.first ?? day), max(day, days?.last ?? day))
      days = (first, last)
      if readsYear {
        found = first
        // A step of the replay has 23 bits for its minute.
        guard last.sinceEpoch - first.sinceEpoch <= 15 * 366 else {
          throw reader.error("the table has more than 15 years", in: columns.year)
        }
      } else if let found {
        guard day == found else { continue }
      } else {
        guard wanted?.matches(day) ?? true else { continue }
        found = day
      }
      let flight = try columns.flight(of: reader, id: flights.count + 1)
      guard airlines.contains(flight.carrier) else {
        throw reader.error(
          "airlines.csv has no carrier \"\(flight.carrier)\"", in: columns.carrier)
      }
      guard airports.contains(flight.origin) else {
        throw reader.error("airports.csv has no airport \"\(flight.origin)\"", in: columns.origin)
      }
      let offset = try columns.clockOffset(of: reader, on: day)
      if offsets[day] == nil { offsets[day] = offset }
      flights.append(flight)
    }

    guard let days else { throw InputError("the table has no flights", file: reader.file) }
    let range = days.first == days.last ? "\(days.first)" : "\(days.first) to \(days.last)"
    guard wanted != nil || readsYear || days.first == days.last else {
      throw InputError(
        "the table has the days \(range); choose one with --day, or all with --year",
        file: reader.file)
    }
    guard let found, !offsets.isEmpty else {
      let name = wanted.map { "\($0)" } ?? ""
      throw InputError("there is no flight on \(name); it has \(range)", file: reader.file)
    }
    day = found
    lastDay = readsYear ? days.last : nil
    clocks = Clocks(offsets)
  }
}

extension DayFlights {
  /// The columns that are read.
  private struct Columns {
    let year, month, day, hour, minute, timeHour: Int
    let carrier, number, tailNumber, origin, destination: Int
    let delay, airTime, distance: Int

    init(_ reader: borrowing CSVReader) throws(InputError) {
      year = try reader.column("year")
      month = try reader.column("month")
      day = try reader.column("day")
      hour = try reader.column("hour")
      minute = try reader.column("minute")
      timeHour = try reader.column("time_hour")
      carrier = try reader.column("carrier")
      number = try reader.column("flight")
      tailNumber = try reader.column("tailnum")
      origin = try reader.column("origin")
      destination = try reader.column("dest")
      delay = try reader.column("dep_delay")
      airTime = try reader.column("air_time")
      distance = try reader.column("distance")
    }

    func day(of row: borrowing CSVReader) throws(InputError) -> Day {
      Day(
        year: try row.integer(year, in: 1971...9999), month: try row.integer(month, in: 1...12),
        day: try row.integer(day, in: 1...31))
    }

    func flight(of row: borrowing CSVReader, id: Int) throws(InputError) -> Flight {
      let text = row.text(timeHour)
      guard let start = Minute(hour: text) else {
        throw row.error(
          "\"\(text)\" is not the start of an hour like 2013-02-08T10:00:00Z (time_hour)",
          in: timeHour)
      }
      return Flight(
        id: id, carrier: try row.requiredText(carrier),
        number: try row.integer(number, in: 0...99_999),
        tailNumber: row.optionalText(tailNumber), origin: try row.requiredText(origin),
        destination: try row.requiredText(destination),
        scheduled: start + (try row.integer(minute, in: 0...59)),
        // No flight leaves hours early, and a delay of days is another flight.
        delay: try row.optionalInteger(delay, in: -60...10_000),
        airTime: try row.optionalInteger(airTime, in: 1...2_000),
        distance: try row.integer(distance, in: 0...20_000))
    }

    /// Returns the offset of the clocks, which is the difference between the local hour of the row
    /// and its hour in UTC.
    func clockOffset(of row: borrowing CSVReader, on day: Day) throws(InputError) -> Int {
      let local = day.sinceEpoch * 1440 + (try row.integer(hour, in: 0...24)) * 60
      guard let start = Minute(hour: row.text(timeHour)), abs(local - start.sinceEpoch) <= 840
      else {
        throw row.error("time_hour is not within 14 hours of the local hour", in: timeHour)
      }
      return local - start.sinceEpoch
    }
  }
}
