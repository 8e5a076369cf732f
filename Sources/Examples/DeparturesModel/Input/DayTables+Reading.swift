public import Foundation

extension DayTables {
  /// Reads the tables of a day, or of a year, from a folder.
  ///
  /// Everything is read and checked here, so nothing has been written if it throws.
  ///
  /// - Parameters:
  ///   - folder: A folder with airlines.csv, airports.csv, planes.csv and flights.csv.
  ///   - wanted: The day, or nil if the folder contains only one.
  ///   - readsYear: True to read all days.
  /// - Throws: An error with its position.
  public init(in folder: URL, day wanted: WantedDay?, readsYear: Bool = false) throws(InputError) {
    try Self.checkFolder(folder)
    func reader(_ name: String) throws(InputError) -> CSVReader {
      try CSVReader(contentsOf: folder.appending(path: name))
    }
    airlines = try Self.readAirlines(reader("airlines.csv"))
    airports = try Self.readAirports(reader("airports.csv"))
    planes = try Self.readPlanes(reader("planes.csv"))
    let flights = try DayFlights(
      reader("flights.csv"), day: wanted, readsYear: readsYear,
      airlines: Set(airlines.map(\.code)), airports: Set(airports.map(\.code)))
    day = flights.day
    lastDay = flights.lastDay
    clocks = flights.clocks
    self.flights = flights.flights
  }

  private static let files = ["airlines.csv", "airports.csv", "planes.csv", "flights.csv"]

  private static func checkFolder(_ folder: URL) throws(InputError) {
    let manager = FileManager.default
    var isFolder: ObjCBool = false
    guard manager.fileExists(atPath: folder.path, isDirectory: &isFolder) else {
      throw InputError("there is no such folder", file: folder.path)
    }
    guard isFolder.boolValue else {
      throw InputError("this is a file, but --data takes a folder", file: folder.path)
    }
    for name in files {
      let path = folder.appending(path: name).path
      guard !manager.fileExists(atPath: path) else { continue }
      if manager.fileExists(atPath: path + ".zip") {
        throw InputError(
          "the table is still packed; unzip it first: unzip \(name).zip", file: path + ".zip")
      }
      throw InputError(
        "there is no such file; the folder needs " + files.joined(separator: ", "), file: path)
    }
  }

  private static func readAirlines(
    _ reader: consuming CSVReader
  ) throws(InputError) -> [AirlineRecord] {
    let (code, name) = (try reader.column("carrier"), try reader.column("name"))
    return try readTable(reader, id: code) { row throws(InputError) in
      let record = AirlineRecord(
        code: try row.requiredText(code), name: try row.requiredText(name))
      guard AirlineRecord.nameLengths.contains(record.name.unicodeScalars.count) else {
        throw row.error(
          "a name has at most \(AirlineRecord.nameLengths.upperBound) Unicode scalars", in: name)
      }
      return record
    }
  }

  private static func readAirports(
    _ reader: consuming CSVReader
  ) throws(InputError) -> [AirportRecord] {
    let (code, name) = (try reader.column("faa"), try reader.column("name"))
    return try readTable(reader, id: code) { row throws(InputError) in
      AirportRecord(code: try row.requiredText(code), name: try row.requiredText(name))
    }
  }

  private static func readPlanes(_ reader: consuming CSVReader) throws(InputError) -> [PlaneRecord]
  {
    let tailNumber = try reader.column("tailnum")
    let (manufacturer, model) = (try reader.column("manufacturer"), try reader.column("model"))
    let (seats, year) = (try reader.column("seats"), try reader.column("year"))
    return try readTable(reader, id: tailNumber) { row throws(InputError) in
      PlaneRecord(
        tailNumber: try row.requiredText(tailNumber),
        manufacturer: try row.requiredText(manufacturer), model: try row.requiredText(model),
        seats: try row.integer(seats, in: 1...10_000),
        year: try row.optionalInteger(year, in: 1900...2100))
    }
  }

  /// Reads every row of a table whose ids must not repeat.
  private static func readTable<Record>(
    _ reader: consuming CSVReader, id: Int,
    record: (borrowing CSVReader) throws(InputError) -> Record
  ) throws(InputError) -> [Record] {
    var records: [Record] = []
    var seen: Set<String> = []
    while try reader.next() {
      records.append(try record(reader))
      guard seen.insert(reader.text(id)).inserted else {
        throw reader.error("\"\(reader.text(id))\" is here for the second time", in: id)
      }
    }
    return records
  }
}

extension InputError {
  /// Returns an error about a file that is missing or can't be read.
  public static func unreadable(_ path: String) -> InputError {
    let exists = FileManager.default.fileExists(atPath: path)
    return InputError(exists ? "the file can't be read" : "there is no such file", file: path)
  }
}

extension DayTables {
  /// The folder that is bundled with the program: 8 February 2013, the day of a blizzard.
  public static var bundledFolder: URL {
    Bundle.module.bundleURL.appending(path: "2013-02-08", directoryHint: .isDirectory)
  }
}
