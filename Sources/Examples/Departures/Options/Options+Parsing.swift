import DeparturesModel
import Foundation

extension Options {
  /// Parses the arguments after the program's name.
  ///
  /// `--speed 5` and `--speed=5` mean the same. If an option is repeated, the last one wins.
  init(arguments: [String]) throws(InputError) {
    self.init()
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      var inline = parts.count == 2 ? String(parts[1]) : nil

      func value() throws(InputError) -> String {
        guard let value = inline ?? rest.popFirst(), !value.isEmpty else {
          throw InputError("\(name) needs a value; --help shows them")
        }
        inline = nil
        return value
      }

      switch name {
      case "--by": grouping = try Self.grouping(value())
      case "--data": data = URL(filePath: try value(), directoryHint: .isDirectory)
      case "--day": day = try Self.day(value())
      case "--store": place(try value())
      case "--follow": isFollowing = true
      case "--speed": speed = try Self.speed(value())
      case "--headless": isHeadless = true
      case "--verify": verifies = true
      case "--verify-every":
        verifies = true
        verifyEvery = try Self.count(value())
      case "--year": isYear = true
      case "--stream": isStream = true
      case "--after": after = try Self.position(value())
      case "--fresh": startsFresh = true
      case "--help", "-h": showsHelp = true
      default:
        let kind = argument.hasPrefix("-") ? "option" : "argument"
        throw InputError("\"\(argument)\" is not an \(kind) of Departures; --help lists them")
      }
      if let inline { throw InputError("\(name) takes no value, but was given \"\(inline)\"") }
    }
    try checkTogether()
  }

  /// Throws if options exclude each other, or if one needs another.
  private func checkTogether() throws(InputError) {
    if showsHelp { return }
    if isYear, day != nil { throw InputError("--year has all days; leave out --day") }
    if isYear, data == nil {
      throw InputError("--year needs the tables of the year; name their folder with --data")
    }
    if isFollowing, isYear || isStream || startsFresh {
      throw InputError(
        "--follow replays nothing and shows one day; leave out --year, --stream and --fresh")
    }
    if after != nil, !isStream {
      throw InputError("--after is for --stream, which isn't asked for")
    }
  }

  /// Takes the place of the store: a connection string, or a file.
  private mutating func place(_ text: String) {
    let isServer = ["postgresql://", "postgres://", "host="].contains { text.hasPrefix($0) }
    server = isServer ? text : nil
    store = isServer ? nil : URL(filePath: text, directoryHint: .notDirectory)
  }

  private static func count(_ text: String) throws(InputError) -> Int {
    guard let count = Int(text), count > 0 else {
      throw InputError("--verify-every takes a whole number from 1, not \"\(text)\"")
    }
    return count
  }

  private static func position(_ text: String) throws(InputError) -> StreamPosition {
    guard let position = StreamPosition(text) else {
      throw InputError(
        "--after takes a version of the stream, or a cursor of it, not \"\(text)\"")
    }
    return position
  }

  private static func grouping(_ text: String) throws(InputError) -> BoardGrouping {
    guard let grouping = BoardGrouping(rawValue: text) else {
      let names = BoardGrouping.allCases.map(\.rawValue).joined(separator: ", ")
      throw InputError("--by takes one of \(names), not \"\(text)\"")
    }
    return grouping
  }

  private static func day(_ text: String) throws(InputError) -> WantedDay {
    guard let day = WantedDay(text) else {
      throw InputError("--day takes a day like 2013-11-27 or 11-27, not \"\(text)\"")
    }
    return day
  }

  private static func speed(_ text: String) throws(InputError) -> Double {
    guard let speed = Double(text), (0.01...1_000_000).contains(speed) else {
      throw InputError("--speed takes a number from 0.01 to 1000000, not \"\(text)\"")
    }
    return speed
  }
}
