import Foundation

@testable import Departures
@testable import DeparturesModel

/// A folder of tables in the temporary folder, deleted with it.
final class Folder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(
      path: "departures-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// A folder with small tables: those given, and one of each kind for the rest.
  convenience init(flights: [String], tables: [String: String] = [:]) throws {
    try self.init()
    let standard = [
      "airlines.csv": "carrier,name\nUA,United Air Lines Inc.\nB6,JetBlue Airways\n",
      "airports.csv": "faa,name\nEWR,Newark Liberty Intl\nJFK,John F Kennedy Intl\n",
      "planes.csv": "tailnum,year,manufacturer,model,seats\nN1,NA,BOEING,737-824,149\n",
      "flights.csv": ([Self.flightColumns] + flights).joined(separator: "\n"),
    ]
    for (name, text) in standard.merging(tables, uniquingKeysWith: { $1 }) {
      try write(text, to: name)
    }
  }

  static let flightColumns =
    "year,month,day,dep_delay,carrier,flight,tailnum,origin,dest,air_time,distance,hour,minute,"
    + "time_hour"

  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: url.appending(path: name))
  }

  func remove(_ name: String) throws {
    try FileManager.default.removeItem(at: url.appending(path: name))
  }

  func file(_ name: String) -> String { url.appending(path: name).path }

  func tables(day: String? = nil) throws(InputError) -> DayTables {
    try DayTables(in: url, day: day.flatMap(WantedDay.init))
  }
}

/// The tables that come with the program.
func bundledTables() throws -> DayTables {
  try DayTables(in: DayTables.bundledFolder, day: nil)
}
