import Foundation
import ListDiffing
import TestSupport
import Testing

/// What a real program's list did, on each of the hosts: a morning of Departures, recorded by its tests.
@MainActor struct RecordedBatchTests {
  private struct Line: Decodable {
    var changes: ListChanges
    var list: [[Int]]

    /// Ids and versions, in turn.
    var sections: [Section] {
      list.map { numbers in
        let rows = stride(from: 0, to: numbers.count, by: 2).map {
          Row(id: numbers[$0], version: numbers[$0 + 1])
        }
        return Section(header: rows[0], rows: Array(rows.dropFirst()))
      }
    }
  }

  private func lines() throws -> [Line] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Recordings/departures.jsonl")
    return try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")).map {
      try JSONDecoder().decode(Line.self, from: $0)
    }
  }

  @Test func `D5: A morning of departures is shown right by every simulated host`() throws {
    let lines = try lines()
    #expect(lines.count > 100)
    var list: [Section] = []
    var kinds: Set<String> = []
    for line in lines {
      let next = line.sections
      try line.changes.validate(old: list.map(\.rows.count), new: next.map(\.rows.count))
      Showing(list, next, changes: line.changes).check()
      if !line.changes.moves.isEmpty { kinds.insert("moves") }
      if !line.changes.updates.isEmpty { kinds.insert("updates") }
      if !line.changes.movedSections.isEmpty { kinds.insert("moved sections") }
      if !line.changes.updatedSections.isEmpty { kinds.insert("updated sections") }
      if !line.changes.insertedSections.isEmpty && !line.changes.deletedSections.isEmpty {
        kinds.insert("other sections")
      }
      list = next
    }
    #expect(kinds.isSuperset(of: ["moves", "updates", "moved sections", "other sections"]))
  }
}
