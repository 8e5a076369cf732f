internal import ListDiffing

/// A mapping from the old paths of rows that no change names to their new paths.
struct UnnamedRows {
  private let sections: SectionPositions
  /// The old positions of the rows that changes name, by section.
  private let named: [Int: Set<Int>]
  /// The old positions of deleted and moved rows, and the new ones of inserted and moved rows.
  ///
  /// They are ascending in each section.
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

  /// Calls `body` with the old and the new path of each such row of a section that had `count`
  /// rows.
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
