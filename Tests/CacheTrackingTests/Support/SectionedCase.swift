import ListDiffing
import TestSupport

/// A row with an identity and a version of its content.
struct Row: Diffable, Hashable, Codable, Sendable {
  var id: Int
  var version = 0

  var diffIdentifier: Int { id }
}

/// Two random sectioned lists, and the changes from one to the other.
struct SectionedCase: Sendable {
  let old: [ListSection<Row, Row>]
  let new: [ListSection<Row, Row>]
  let changes: ListChanges

  init(seed: Int) {
    var generator = SeededGenerator(seed: seed)
    old = Self.list(using: &generator)
    new = Self.list(using: &generator)
    changes = SectionedListDiff(from: old, to: new).changes
  }

  private static func list(using generator: inout SeededGenerator) -> [ListSection<Row, Row>] {
    func some(_ ids: Range<Int>, _ generator: inout SeededGenerator) -> [Row] {
      ids.shuffled(using: &generator).prefix(Int.random(in: 0...ids.count, using: &generator))
        .map { Row(id: $0, version: Int.random(in: 0...1, using: &generator)) }
    }
    var rows = some(0..<8, &generator)[...]
    return some(0..<4, &generator).map { header in
      let count = Int.random(in: 0...rows.count, using: &generator)
      defer { rows = rows.dropFirst(count) }
      return ListSection(header: header, rows: Array(rows.prefix(count)))
    }
  }
}
