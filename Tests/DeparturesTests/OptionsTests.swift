import Foundation
import Testing

@testable import Departures
@testable import DeparturesModel

struct OptionsTests {
  @Test func `Without arguments the bundled day is shown by status`() throws {
    let options = try Options(arguments: [])
    #expect(options == Options())
    #expect(options.grouping == .status)
    #expect(options.data == nil)
    #expect(!options.isHeadless && !options.verifies && !options.startsFresh)
  }

  @Test func `Every option is read, in both spellings`() throws {
    let options = try Options(arguments: [
      "--by", "carrier", "--data=folder/a=b", "--day", "11-27", "--store=s.sqlite", "--speed",
      "2.5",
      "--headless", "--verify", "--fresh", "--help",
    ])
    #expect(options.grouping == .carrier)
    #expect(options.data?.path.hasSuffix("folder/a=b") == true)
    #expect(options.day == WantedDay("11-27"))
    #expect(options.store?.lastPathComponent == "s.sqlite")
    #expect(options.speed == 2.5)
    #expect(options.isHeadless && options.verifies && options.startsFresh && options.showsHelp)
  }

  @Test @MainActor func `A stream has a store of its own only if no other is named`() throws {
    for (arguments, isOwn) in [
      (["--stream"], true), (["--stream", "--store", "s.sqlite"], false),
      (["--stream", "--store", "postgresql://db/app"], false), ([], false),
    ] {
      #expect(StreamRun.isOwnStore(try Options(arguments: arguments)) == isOwn, "\(arguments)")
    }
  }

  @Test func `The options of the year and the stream are read`() throws {
    let year = try Options(arguments: ["--year", "--data", "x", "--verify-every=1000"])
    #expect(year.isYear && year.verifies && year.verifyEvery == 1000)
    let text = "03a1b2c3d4e5f607-42-8f0e1d2c3b4a5968"
    for (position, expected) in [
      ("42", StreamPosition.version(42)), (text, try #require(StreamPosition(text))),
    ] {
      let stream = try Options(arguments: ["--stream", "--after", position])
      #expect(stream.isStream && stream.after == expected && expected.version == 42)
    }
  }

  @Test(arguments: [
    (["--by", "plane"], "--by takes one of status, origin, carrier, not \"plane\""),
    (["--by"], "--by needs a value; --help shows them"),
    (["--by="], "--by needs a value; --help shows them"),
    (["--day", "yesterday"], "--day takes a day like 2013-11-27 or 11-27, not \"yesterday\""),
    (["--speed", "0"], "--speed takes a number from 0.01 to 1000000, not \"0\""),
    (["--speed", "inf"], "--speed takes a number from 0.01 to 1000000, not \"inf\""),
    (["--speed", "fast"], "--speed takes a number from 0.01 to 1000000, not \"fast\""),
    (["--fresh=yes"], "--fresh takes no value, but was given \"yes\""),
    (["--colour"], "\"--colour\" is not an option of Departures; --help lists them"),
    (["--year"], "--year needs the tables of the year; name their folder with --data"),
    (["--year", "--data", "x", "--day", "02-08"], "--year has all days; leave out --day"),
    (["--after", "3"], "--after is for --stream, which isn't asked for"),
    (
      ["--stream", "--after", "yesterday"],
      "--after takes a version of the stream, or a cursor of it, not \"yesterday\""
    ),
    (["--verify-every", "0"], "--verify-every takes a whole number from 1, not \"0\""),
    (["today"], "\"today\" is not an argument of Departures; --help lists them"),
  ])
  func `A mistake is reported in one sentence`(arguments: [String], message: String) {
    #expect(throws: InputError(message)) { try Options(arguments: arguments) }
  }

  @Test func `The default store is in the user's data folder`() {
    let home = URL(filePath: "/home/ann")
    func store(_ environment: [String: String]) -> String {
      Options.defaultStore(in: DataFolder.url(environment: environment, home: home)).path
    }
    #expect(store([:]) == "/home/ann/.local/share/signalbox/departures.sqlite")
    #expect(store(["XDG_DATA_HOME": "/data"]) == "/data/signalbox/departures.sqlite")
    #expect(
      store(["XDG_DATA_HOME": "data"]) == "/home/ann/.local/share/signalbox/departures.sqlite")
  }
}
