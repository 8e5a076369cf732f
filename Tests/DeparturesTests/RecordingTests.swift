import Foundation
import Signalbox
import Testing

@testable import Departures
@testable import DeparturesModel

/// Writes down what the board does on a real morning, for the simulated hosts of ListDiffing's tests.
///
/// A line for each event: its changes, and the list after it, each section and row as an id and how often its content
/// has changed. `RECORD=1 swift test --filter RecordingTests` writes the file anew.
@MainActor struct RecordingTests {
  private struct Line: Encodable {
    var changes: ListChanges
    /// For each section its id and version, and then those of its rows.
    var list: [[Int]]
  }

  /// Gives ids to sections, and versions to what has one.
  private struct Versions {
    var ids: [String: Int] = [:]
    var headers: [String: (header: BoardHeader, version: Int)] = [:]
    var rows: [Int: (row: BoardRow, version: Int)] = [:]

    mutating func list(_ board: Board) -> [[Int]] {
      board.map { section in
        let key = section.header.key
        if ids[key] == nil { ids[key] = ids.count }
        let header = headers[key] ?? (section.header, 0)
        let version = header.version + (header.header == section.header ? 0 : 1)
        headers[key] = (section.header, version)
        return section.rows.reduce(into: [ids[key] ?? 0, version]) { list, row in
          let known = rows[row.id] ?? (row, 0)
          let version = known.version + (known.row == row ? 0 : 1)
          rows[row.id] = (row, version)
          list += [row.id, version]
        }
      }
    }
  }

  private func record() throws -> String {
    var tables = try bundledTables()
    tables.flights = Array(tables.flights.prefix(90))
    let replay = try Replay(tables, in: .inMemory, options: Options())
    let presenter = replay.presenter
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    var versions = Versions()
    var lines: [String] = []
    let token = presenter.departures.didChange.subscribe(on: .mainActor) { event in
      let list = versions.list(Board(event.after, clocks: presenter.clocks))
      if let data = try? encoder.encode(Line(changes: event.changes, list: list)) {
        lines.append(String(decoding: data, as: UTF8.self))
      }
    }
    var count = 0
    while !replay.remaining.isEmpty {
      try replay.advance()
      count += 1
      switch count {
      // What people do at the board meanwhile.
      case 60: try presenter.show(BoardRequest(grouping: .carrier))
      case 70: try replay.dispatcher.rename(airline: "B6", to: "Zephyr")
      case 80: try presenter.show(BoardRequest(grouping: .carrier, search: "zephyr"))
      case 90: try presenter.show(BoardRequest(grouping: .origin))
      case 100: presenter.departures.pause()
      case 120: presenter.departures.resume()
      case 140: try presenter.show(BoardRequest(grouping: .status))
      default: break
      }
    }
    withExtendedLifetime(token) {}
    return lines.joined(separator: "\n") + "\n"
  }

  @Test func `The recording is what a replay does now`() throws {
    let file = BuiltProgram.testFile("Recordings/departures.jsonl")
    let recorded = try record()
    if ProcessInfo.processInfo.environment["RECORD"] != nil {
      try Data(recorded.utf8).write(to: file)
    }
    let kept = try String(contentsOf: file, encoding: .utf8)
    #expect(kept == recorded, "RECORD=1 writes it anew; look at the difference before")
  }
}
