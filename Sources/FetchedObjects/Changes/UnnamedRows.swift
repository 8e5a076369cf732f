internal import ListDiffing

/// A mapping from the old paths of rows that no change names to their new paths.
struct UnnamedRows {
  private let sections: SectionPositions
  /// The old positions of the rows that changes name, by section.
  private let named: [Int: Set<Int>]
  /// The old positions of deleted and moved rows, and the new ones of inserted and moved rows.
  private let removed: [Int: SortedPositions]
  private let added: [Int: SortedPositions]

  init(_ changes: ListChanges, _ sections: SectionPositions) {
    self.sections = sections
    let removed = changes.deletes + changes.moves.map(\.old)
    let added = changes.inserts + changes.moves.map(\.new)
    self.removed = SortedPositions.bySection(removed)
    self.added = SortedPositions.bySection(added)
    named = Dictionary(grouping: removed + changes.updates.map(\.old), by: \.section)
      .mapValues { Set($0.map(\.row)) }
  }

  /// Calls `body` with the old and the new path of each such row of a section that had `count`
  /// rows.
  func forEach(ofSection section: Int, count: Int, _ body: (ListPath, ListPath) -> Void) {
    guard let new = sections.new(of: section) else { return }
    let (named, removed, added) = (named[section], removed[section], added[new])
    for row in 0..<count where named?.contains(row) != true {
      let rank = removed?.others(before: row) ?? row
      body(
        ListPath(section: section, row: row),
        ListPath(section: new, row: added?.position(ofOther: rank) ?? rank))
    }
  }
}
