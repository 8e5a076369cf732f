import DeparturesModel
import Foundation
import HTTPServer

/// The options of the command line.
struct Options {
  var http = HTTPOptions()
  /// The names by which browsers may call the server, besides its address and `localhost`.
  var hosts: [String] = []
  /// The folder with the tables, or nil for the day that is bundled with Departures.
  var data: URL?
  var day: WantedDay?
  var isYear = false
  /// The file of the store, or nil for the usual one.
  var store: URL?
  /// The connection string of the store's PostgreSQL database, or nil for a file.
  var server: String?
  /// The number of minutes of board time per second.
  var speed = 5.0
  /// The time of the day at which the board stands still, in minutes since midnight.
  var end: Int?
  var startsFresh = false
  var isReadOnly = false
  /// The origin whose pages may read the shapes.
  var origin: String?
  var showsInspector = false
  var showsHelp = false

  static let help = """
    WebBoard: New York's departures as a live page in the browser.

    USAGE: WebBoard [options]

      --port N                     the port (8013)
      --address A                  the IPv4 address to listen on (127.0.0.1: only this machine)
      --host NAME                  a name by which browsers may call the server; may be repeated
      --read-only                  nobody may rename anything
      --allow-origin ORIGIN        pages of this origin may read the shapes; * for all
      --data FOLDER                a folder with airlines.csv, airports.csv, planes.csv and
                                   flights.csv; without it, 8 February 2013 comes with the program
      --day YYYY-MM-DD | MM-DD     the day to replay, if the folder has several
      --year                       the whole year of the folder, with all its flights on the board
      --store FILE | URL           where the state is kept ($XDG_DATA_HOME or ~/.local/share,
                                   signalbox/webboard.sqlite or webboard-year.sqlite); or a
                                   PostgreSQL database, postgresql://role@host/database
      --fresh                      start the day over, though the store is in the middle of it
      --speed N                    minutes of board time in a second (5); 0 commits nothing
      --until HH:MM                stand still once the board's clock has reached this time
      --inspector                  /inspector/ shows the store at work; on loopback and without
                                   --host, a debug build has it anyway
      --connections N              the most connections at once (2000)
      --threads N                  the threads that answer (2)
      --help                       this text

    Several servers may show the same store: each shows the others' commits. Stop with Control-C.
    """
}

extension Options {
  /// Parses the arguments after the program's name.
  init(arguments: [String]) throws(InputError) {
    http.port = 8013
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
      func number<Number: LosslessStringConvertible & Comparable>(
        _ range: ClosedRange<Number>
      ) throws(InputError) -> Number {
        let text = try value()
        guard let number = Number(text), range.contains(number) else {
          throw InputError(
            "\(name) takes a number from \(range.lowerBound) to \(range.upperBound), not \"\(text)\""
          )
        }
        return number
      }

      switch name {
      case "--port": http.port = try number(0...UInt16.max)
      case "--address": http.address = try value()
      case "--host": hosts.append(try value().lowercased())
      case "--read-only": isReadOnly = true
      case "--allow-origin": origin = try value()
      case "--data": data = URL(filePath: try value(), directoryHint: .isDirectory)
      case "--day":
        let text = try value()
        guard let wanted = WantedDay(text) else {
          throw InputError("--day takes a day like 2013-11-27 or 11-27, not \"\(text)\"")
        }
        day = wanted
      case "--year": isYear = true
      case "--store": place(try value())
      case "--fresh": startsFresh = true
      case "--speed":
        speed = try number(0...1_000_000)
        // Slower still, a wait would be longer than clocks can count.
        if speed > 0, speed < 0.01 {
          throw InputError("--speed takes 0, or a number from 0.01 to 1000000, not \"\(speed)\"")
        }
      case "--until":
        let text = try value()
        guard let time = Self.minutes(text) else {
          throw InputError("--until takes a time from 00:00 to 23:59, not \"\(text)\"")
        }
        end = time
      case "--connections": http.connectionLimit = try number(1...100_000)
      case "--inspector": showsInspector = true
      case "--threads": http.threads = try number(1...64)
      case "--help", "-h": showsHelp = true
      default: throw InputError("\"\(argument)\" is not an option of WebBoard; --help lists them")
      }
      if let inline { throw InputError("\(name) takes no value, but was given \"\(inline)\"") }
    }
    if isYear, data == nil, !showsHelp {
      throw InputError("--year needs the tables of the year; name their folder with --data")
    }
  }

  /// Returns the minutes since midnight of a time such as `18:30`, or nil if it isn't one.
  private static func minutes(_ text: String) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 }),
      !text.contains(where: { "+-".contains($0) }),
      let hour = Int(parts[0]), let minute = Int(parts[1]),
      (0..<24).contains(hour), (0..<60).contains(minute)
    else { return nil }
    return hour * 60 + minute
  }

  /// Takes the place of the store: a connection string, or a file.
  private mutating func place(_ text: String) {
    let isServer = ["postgresql://", "postgres://", "host="].contains { text.hasPrefix($0) }
    server = isServer ? text : nil
    store = isServer ? nil : URL(filePath: text, directoryHint: .notDirectory)
  }
}
