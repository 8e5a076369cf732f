internal import ListDiffing

/// Leads from the positions of sections before some changes to those after, and back.
///
/// Sections that no change names keep their order; so where one is follows from how many were taken
/// out before it and how many were put in.
struct SectionPositions {
  /// The old positions of deleted and moved sections, and the new ones of inserted and moved sections;
  /// ascending.
  private let removed: [Int]
  private let added: [Int]
  private var newOfMoved: [Int: Int] = [:]
  private var oldOfMoved: [Int: Int] = [:]

  init(_ changes: ListChanges) {
    removed = (changes.deletedSections + changes.movedSections.map(\.old)).sorted()
    added = (changes.insertedSections + changes.movedSections.map(\.new)).sorted()
    for move in changes.movedSections {
      newOfMoved[move.old] = move.new
      oldOfMoved[move.new] = move.old
    }
  }

  /// The new position of a section, or nil if it is deleted.
  ///
  /// - Complexity: O(log k) for k changes.
  func new(of old: Int) -> Int? { Self.map(old, newOfMoved, removed, added) }

  /// The old position of a section, or nil if it is inserted.
  ///
  /// - Complexity: O(log k) for k changes.
  func old(of new: Int) -> Int? { Self.map(new, oldOfMoved, added, removed) }

  private static func map(
    _ position: Int, _ moved: [Int: Int], _ removed: [Int], _ added: [Int]
  ) -> Int? {
    if removed.isEmpty && added.isEmpty { return position }
    if let target = moved[position] { return target }
    let before = removed.count(below: position)
    if before < removed.count, removed[before] == position { return nil }
    let remaining = position - before
    // How many are put in before it: the first so many that stand before what remains and them.
    let count = partitionPoint(added.count) { added[$0] - $0 > remaining }
    return remaining + count
  }
}

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

extension ListChanges {
  /// The changes that these and then `later` make together, if they concern different sections.
  ///
  /// - Complexity: O(k log k) for k changes.
  func followed(by later: ListChanges) -> ListChanges {
    if isEmpty { return later }
    if later.isEmpty { return self }
    let (first, second) = (SectionPositions(self), SectionPositions(later))
    // No section is in both, so what one list of changes doesn't name the other one finds.
    func old(_ section: Int) -> Int { first.old(of: section) ?? section }
    func new(_ section: Int) -> Int { second.new(of: section) ?? section }
    func old(_ path: ListPath) -> ListPath { ListPath(section: old(path.section), row: path.row) }
    func new(_ path: ListPath) -> ListPath { ListPath(section: new(path.section), row: path.row) }
    func firstRow(_ change: PositionChange<ListPath>) -> PositionChange<ListPath> {
      PositionChange(old: change.old, new: new(change.new))
    }
    func secondRow(_ change: PositionChange<ListPath>) -> PositionChange<ListPath> {
      PositionChange(old: old(change.old), new: change.new)
    }
    func firstSection(_ change: PositionChange<Int>) -> PositionChange<Int> {
      PositionChange(old: change.old, new: new(change.new))
    }
    func secondSection(_ change: PositionChange<Int>) -> PositionChange<Int> {
      PositionChange(old: old(change.old), new: change.new)
    }
    return ListChanges(
      deletedSections: deletedSections + later.deletedSections.map(old),
      insertedSections: insertedSections.map(new) + later.insertedSections,
      movedSections: movedSections.map(firstSection) + later.movedSections.map(secondSection),
      updatedSections: updatedSections.map(firstSection)
        + later.updatedSections.map(secondSection),
      deletes: deletes + later.deletes.map(old),
      inserts: inserts.map(new) + later.inserts,
      moves: moves.map(firstRow) + later.moves.map(secondRow),
      updates: updates.map(firstRow) + later.updates.map(secondRow))
  }
}
