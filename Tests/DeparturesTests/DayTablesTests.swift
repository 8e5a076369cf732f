import Foundation
import Testing

@testable import Departures
@testable import DeparturesModel

struct DayTablesTests {
  private let row = "2013,2,8,-2,UA,17,N1,EWR,BQN,99,529,5,30,2013-02-08T10:00:00Z"

  private func error(_ body: () throws(InputError) -> DayTables) -> InputError? {
    do {
      _ = try body()
      return nil
    } catch {
      return error
    }
  }

  @Test func `A row becomes a flight in universal time`() throws {
    let tables = try Folder(flights: [row]).tables()
    #expect(tables.day == Day(year: 2013, month: 2, day: 8))
    #expect(tables.clockOffset == -300)
    #expect(
      tables.flights == [
        Flight(
          id: 1, carrier: "UA", number: 17, tailNumber: "N1", origin: "EWR", destination: "BQN",
          scheduled: Minute(sinceEpoch: 1_360_317_600 / 60 + 30), delay: -2, airTime: 99,
          distance: 529)
      ])
    #expect(
      tables.planes == [
        PlaneRecord(
          tailNumber: "N1", manufacturer: "BOEING", model: "737-824", seats: 149, year: nil)
      ])
  }

  @Test func `Dirty data is no error`() throws {
    let tables = try Folder(flights: [
      "2013,2,8,NA,UA,17,NA,EWR,SJU,NA,1608,23,59,2013-02-09T04:00:00Z",
      "2013,2,8,1301,UA,17,N999,JFK,EWR,NA,20,0,5,2013-02-08T05:00:00Z",
    ]).tables()
    #expect(tables.flights.map(\.id) == [1, 2])
    #expect(tables.flights.map(\.delay) == [nil, 1301])
    #expect(tables.flights.map(\.tailNumber) == [nil, "N999"])
    #expect(tables.flights.allSatisfy { $0.airTime == nil })
  }

  @Test func `The bundled day has its 930 flights, 472 cancelled`() throws {
    let tables = try bundledTables()
    #expect(tables.flights.count == 930)
    #expect(tables.flights.count { $0.delay == nil } == 472)
    #expect(tables.flights.count { $0.delay != nil && $0.airTime == nil } == 3)
    #expect(tables.airlines.count == 16)
    #expect(tables.flights.map(\.id) == Array(1...930))
  }

  @Test func `A day is picked out of many, and its rows are counted from 1`() throws {
    let folder = try Folder(flights: [
      row, "2013,2,9,0,B6,1,N1,JFK,EWR,30,20,6,0,2013-02-09T11:00:00Z", row,
      "2013,2,9,0,B6,2,N1,JFK,EWR,30,20,6,0,2013-02-09T11:00:00Z",
    ])
    #expect(try folder.tables(day: "02-09").flights.map(\.number) == [1, 2])
    #expect(try folder.tables(day: "02-09").flights.map(\.id) == [1, 2])
    #expect(try folder.tables(day: "2013-02-08").flights.count == 2)
    let file = folder.file("flights.csv")
    #expect(
      error { () throws(InputError) in try folder.tables(day: "2014-02-08") }
        == InputError(
          "there is no flight on 2014-02-08; it has 2013-02-08 to 2013-02-09", file: file))
    #expect(
      error { () throws(InputError) in try folder.tables() }
        == InputError(
          "the table has the days 2013-02-08 to 2013-02-09; choose one with --day, or all with --year",
          file: file))
  }

  @Test(arguments: [
    (
      "2013,2,8,soon,UA,17,N1,EWR,BQN,99,529,5,30,2013-02-08T10:00:00Z", 10,
      "\"soon\" is not a whole number (dep_delay)"
    ),
    (
      "2013,2,8,-2,UA,17,N1,EWR,BQN,99,529,5,30", 41,
      "too few fields: 13, where the first line names 14 columns"
    ),
    (
      "2013,2,8,-2,ZZ,17,N1,EWR,BQN,99,529,5,30,2013-02-08T10:00:00Z", 13,
      "airlines.csv has no carrier \"ZZ\""
    ),
    (
      "2013,2,8,-2,UA,17,N1,LGA,BQN,99,529,5,30,2013-02-08T10:00:00Z", 22,
      "airports.csv has no airport \"LGA\""
    ),
    (
      "2013,2,8,-2,UA,17,N1,EWR,NA,99,529,5,30,2013-02-08T10:00:00Z", 26,
      "the field is empty, but dest is needed"
    ),
    (
      "2013,2,8,-2,UA,17,N1,EWR,BQN,99,529,5,60,2013-02-08T10:00:00Z", 39,
      "60 is not between 0 and 59 (minute)"
    ),
    (
      "2013,2,8,-2,UA,17,N1,EWR,BQN,99,529,5,30,10:00", 42,
      "\"10:00\" is not the start of an hour like 2013-02-08T10:00:00Z (time_hour)"
    ),
    (
      "2013,13,8,-2,UA,17,N1,EWR,BQN,99,529,5,30,2013-02-08T10:00:00Z", 6,
      "13 is not between 1 and 12 (month)"
    ),
  ])
  func `A row that doesn't parse is reported with its place`(
    bad: String, column: Int, message: String
  ) throws {
    let folder = try Folder(flights: [row, bad])
    #expect(
      error { () throws(InputError) in try folder.tables(day: "02-08") }
        == InputError(message, file: folder.file("flights.csv"), line: 3, column: column))
  }

  @Test func `A repeated id is reported`() throws {
    let folder = try Folder(
      flights: [row], tables: ["airlines.csv": "carrier,name\nUA,United\nUA,Union\n"])
    #expect(
      error { () throws(InputError) in try folder.tables() }
        == InputError(
          "\"UA\" is here for the second time", file: folder.file("airlines.csv"), line: 3,
          column: 1))
  }

  @Test func `A missing folder or table is named`() throws {
    let folder = try Folder(flights: [row])
    try folder.remove("planes.csv")
    #expect(
      error { () throws(InputError) in try folder.tables() }
        == InputError(
          "there is no such file; the folder needs airlines.csv, airports.csv, planes.csv, "
            + "flights.csv", file: folder.file("planes.csv")))
    #expect(
      error { () throws(InputError) in try DayTables(in: URL(filePath: "/no/such"), day: nil) }
        == InputError("there is no such folder", file: "/no/such"))
    #expect(
      error { () throws(InputError) in
        try DayTables(in: URL(filePath: folder.file("flights.csv")), day: nil)
      }
        == InputError(
          "this is a file, but --data takes a folder", file: folder.file("flights.csv")))
  }

  @Test func `A packed table asks to be unzipped`() throws {
    let folder = try Folder(flights: [row])
    try folder.remove("flights.csv")
    try folder.write("PK", to: "flights.csv.zip")
    #expect(
      error { () throws(InputError) in try folder.tables() }
        == InputError(
          "the table is still packed; unzip it first: unzip flights.csv.zip",
          file: folder.file("flights.csv.zip")))
  }

  @Test func `The fingerprint follows the content`() throws {
    let one = try Folder(flights: [row]).tables()
    let same = try Folder(flights: [row]).tables()
    let other = try Folder(flights: [row.replacing("-2,UA", with: "-3,UA")]).tables()
    #expect(one.fingerprint == same.fingerprint)
    #expect(one.fingerprint != other.fingerprint)
  }

  @Test func `S6: years before 1971, and more than 15 of them, are refused`() throws {
    func dated(_ year: Int) -> String {
      row.replacing("2013,2,8", with: "\(year),2,8").replacing("2013-", with: "\(year)-")
    }
    let old = try Folder(flights: [dated(1969)])
    #expect(error { () throws(InputError) in try old.tables() }?.line == 2)
    let near = try Folder(flights: [dated(1999), row])
    #expect(
      error { () throws(InputError) in try DayTables(in: near.url, day: nil, readsYear: true) }
        == nil)
    let far = try Folder(flights: [row, dated(1990)])
    let years = error { () throws(InputError) in
      try DayTables(in: far.url, day: nil, readsYear: true)
    }
    #expect(years?.message == "the table has more than 15 years")
    #expect(years?.line == 3)
  }

  @Test func `S6: each row's time_hour is checked, not only that of a day's first one`() throws {
    let bad = row.replacing("2013-02-08T", with: "1990-02-08T")
    let folder = try Folder(flights: [row, bad])
    let found = error { () throws(InputError) in try folder.tables() }
    #expect(found?.message == "time_hour is not within 14 hours of the local hour")
    #expect(found?.line == 3)
  }
}
