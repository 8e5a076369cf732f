import ListDiffing

/// A row with an identity and a version of its content.
struct Row: Diffable, Hashable, Codable, Sendable, CustomStringConvertible {
  var id: Int
  var version = 0

  var diffIdentifier: Int { id }
  var description: String { "\(id).\(version)" }
}

typealias Section = ListSection<Row, Row>

extension Sequence<Row> {
  /// The same rows, those with an odd identity in a newer version.
  func renewed() -> [Row] {
    map { Row(id: $0.id, version: $0.version + $0.id % 2) }
  }
}

/// The shortest way to write paths of a flat list.
func path(_ row: Int) -> ListPath { ListPath(section: 0, row: row) }

func path(_ section: Int, _ row: Int) -> ListPath { ListPath(section: section, row: row) }

func change(_ old: Int, _ new: Int) -> PositionChange<ListPath> {
  PositionChange(old: path(old), new: path(new))
}

/// The length of a longest common subsequence, by the book.
func commonLength<Element: Equatable>(_ first: [Element], _ second: [Element]) -> Int {
  var lengths = [Int](repeating: 0, count: second.count + 1)
  for left in first {
    var diagonal = 0
    for (position, right) in second.enumerated() {
      let above = lengths[position + 1]
      lengths[position + 1] = left == right ? diagonal + 1 : max(above, lengths[position])
      diagonal = above
    }
  }
  return lengths[second.count]
}

/// For each position of a new list the old one it was: the common beginning, the common end, then copy by copy.
func naiveSources(from old: [Int], to new: [Int]) -> [Int?] {
  let start = zip(old, new).prefix(while: ==).count
  let end = zip(old.dropFirst(start).reversed(), new.dropFirst(start).reversed())
    .prefix(while: ==).count
  var free = Array(start..<old.count - end)
  return new.indices.map { position in
    if position < start { return position }
    if position >= new.count - end { return position - new.count + old.count }
    guard let first = free.firstIndex(where: { old[$0] == new[position] }) else { return nil }
    return free.remove(at: first)
  }
}
