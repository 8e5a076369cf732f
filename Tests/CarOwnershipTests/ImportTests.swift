import Foundation
import Signalbox
import TerminalScreen
import TestSupport
import Testing

@testable import CarOwnership

@MainActor @Suite struct ImportTests {
  private func documents(_ text: String) throws(InputError) -> ImportedOwnerships {
    try ImportedOwnerships(try CSVTable(text, file: "cars.csv"))
  }

  private let header = "model,owner,born,manufacturer,mileage"

  @Test func `A table is read, whatever its line ends, quotes and order of columns`() throws {
    let text =
      "\u{FEFF}\(header)\r\n\"Golf, \"\"II\"\"\",Zoë,1970-01-02,VW,\"12,000\"\r\n\n3,Ann,4.5.1960,Mazda,7"
    let rows = try documents(text).rows
    try #require(rows.map(\.line) == [2, 4])
    #expect(rows[0].ownership.car.model == "Golf, \"II\"")
    #expect(rows[0].ownership.car.mileage == 12_000)
    #expect(rows[0].ownership.owner.birthdate == Day(rawValue: 1970_01_02))
    #expect(rows[1].ownership.owner.birthdate == Day(rawValue: 1960_05_04))
  }

  @Test(arguments: [
    ("", "cars.csv: the file is empty"),
    ("owner,born\nx,y", "cars.csv:1: there is no column \"manufacturer\""),
    ("H\nGolf,Ann,1970-01-02,VW", "cars.csv:2: 4 fields, where the first line names 5 columns"),
    (
      "H\nA,B,1970-01-02,VW,1\nGolf,Ann,1970-02-30,VW,1",
      "cars.csv:3: \"1970-02-30\" is not a day like 1980-05-04"
    ),
    (
      "H\n\"A\nA\",B,1970-01-02,VW,1\nGolf,Ann,1970-01-02,VW,ten",
      "cars.csv:4: \"ten\" is not a number of kilometres."
    ),
    ("H\nGolf,,1970-01-02,VW,1", "cars.csv:2: The owner needs a name."),
    ("H\n\"Golf", "cars.csv:2: a quote is never closed"),
    ("H\n\"Golf\"x,1,2,3,4", "cars.csv:2: text follows a closing quote"),
  ])
  func `A mistake is reported with its line`(text: String, message: String) {
    #expect {
      try documents(text.replacing("H\n", with: header + "\n"))
    } throws: { "\($0)" == message }
  }

  @Test func `All rows come in one commit, with progress, and owners once`() throws {
    let garage = try Garage(.inMemory)
    let rows = (0..<2500).map { "M\($0),Owner \($0 % 10),1970-01-02,VW,\($0)" }
    let commits = Recorder(garage.store.commits)
    var progress: [Int] = []
    try documents(([header] + rows).joined(separator: "\n")).insert(into: garage) { done, count in
      #expect(count == 2500)
      progress.append(done)
    }
    #expect(progress == [1000, 2000, 2500])
    #expect(commits.values.count == 1)
    #expect(try garage.store.count(Query<Person>()) == 10)
    #expect(try garage.store.count(Query<CarRecord>()) == 2500)
  }

  @Test func `A document that can't be inserted is named by its position, and none is stored`()
    throws
  {
    let garage = try Garage(.inMemory)
    let documents = [Seed.ownerships[0], Seed.ownerships[1], Seed.ownerships[0]]
    #expect {
      try garage.insert(documents) { _ in }
    } throws: { ($0 as? Garage.InsertionError)?.index == 2 }
    #expect(try garage.store.count(Query<CarRecord>()) == 0)
  }

  @Test(arguments: [["--what"], ["x"], ["--store"], ["--help=1"], ["--import", "/no/such/file"]])
  func `Bad input ends with 2 and leaves no store`(arguments: [String]) async throws {
    let file = temporaryPath("cars")
    let program = Program(arguments: ["--store", file] + arguments)
    #expect(await program.run() == 2)
    #expect(!FileManager.default.fileExists(atPath: file))
  }

  @Test func `A table with a mistake leaves a store as it was`() async throws {
    let file = temporaryPath("cars")
    let table = temporaryPath("table")
    do {
      let garage = try Garage(.sqlite(path: file))
      try garage.store.commit { try Seed.fill($0) }
    }
    try Data("\(header)\nA,B,1970-01-02,VW,1\nGolf,Ann,1970-01-02,VW,ten".utf8)
      .write(to: URL(filePath: table))
    let program = Program(arguments: ["--store", file, "--import", table])
    #expect(await program.run() == 2)
    let garage = try Garage(.sqlite(path: file))
    #expect(try garage.store.count(Query<CarRecord>()) == 6)
    #expect(try garage.store.count(Query<Manufacturer>()) == 4)
  }
}
