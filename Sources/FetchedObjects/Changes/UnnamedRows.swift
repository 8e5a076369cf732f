internal import ListDiffing

/// Leads from the paths of rows that no change names to those after the changes.
struct UnnamedRows {
  private let sections: SectionPositions
  /// The old rows of each section that changes name.
  private let named: [Int: Set<Int>]
  /// The old rows of each section that went or moved, and the new ones that came or moved; ascending.
  private let removed: [Int: [Int]]
  private let added: [Int: [Int]]

  init(_ changes: ListChanges, _ sections: SectionPositions) {
    self.sections = sections
    let removed = changes.deletes + changes.moves.map(\.old)
    let added = changes.inserts + changes.moves.map(\.new)
    self.removed = Dictionary(grouping: removed, by: \.section).mapValues { $0.map(\.row).sorted() }
    self.added = Dictionary(grouping: added, by: \.section).mapValues { $0.map(\.row).sorted() }
    named = Dictionary(grouping: removed + changes.updates.map(\.old), by: \.section)
      .mapValues { Set($0.map(\.row)) }
  }

  /// Calls `body` with the old and the new path of each such row of a section that had so many rows.
  func forEach(ofSection section: Int, count: Int, _ body: (ListPath, ListPath) -> Void) {
    guard let new = sections.new(of: section) else { return }
    let (named, removed, added) = (named[section], removed[section] ?? [], added[new] ?? [])
    for row in 0..<count where named?.contains(row) != true {
      let remaining = row - removed.count(below: row)
      let before = partitionPoint(added.count) { added[$0] - $0 > remaining }
      body(ListPath(section: section, row: row), ListPath(section: new, row: remaining + before))
    }
  }
}
