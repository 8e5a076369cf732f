internal import ListDiffing

/// A mapping between the positions of sections before some changes and those after.
///
/// Sections that no change names keep their order. So the position of such a section follows from
/// the number of sections that were taken out before it, and the number that were put in.
struct SectionPositions {
  /// The old positions of deleted and moved sections, and the new ones of inserted and moved
  /// sections.
  private let removed: SortedPositions
  private let added: SortedPositions
  private var newOfMoved: [Int: Int] = [:]
  private var oldOfMoved: [Int: Int] = [:]

  init(_ changes: ListChanges) {
    removed = SortedPositions(changes.deletedSections + changes.movedSections.map(\.old))
    added = SortedPositions(changes.insertedSections + changes.movedSections.map(\.new))
    for move in changes.movedSections {
      newOfMoved[move.old] = move.new
      oldOfMoved[move.new] = move.old
    }
  }

  /// Returns the new position of a section, or nil if it is deleted.
  ///
  /// - Complexity: O(log k) for k changes.
  func new(of old: Int) -> Int? { Self.map(old, newOfMoved, removed, added) }

  /// Returns the old position of a section, or nil if it is inserted.
  ///
  /// - Complexity: O(log k) for k changes.
  func old(of new: Int) -> Int? { Self.map(new, oldOfMoved, added, removed) }

  private static func map(
    _ position: Int, _ moved: [Int: Int], _ removed: SortedPositions, _ added: SortedPositions
  ) -> Int? {
    if removed.isEmpty && added.isEmpty { return position }
    if let target = moved[position] { return target }
    if removed.contains(position) { return nil }
    return added.position(ofOther: removed.others(before: position))
  }
}

extension ListChanges {
  /// Returns the changes that these and then `later` make together.
  ///
  /// - Complexity: O(k log k) for k changes.
  /// - Precondition: both concern different sections.
  func followed(by later: ListChanges) -> ListChanges {
    if isEmpty { return later }
    if later.isEmpty { return self }
    let (first, second) = (SectionPositions(self), SectionPositions(later))
    // No section is named in both. So the positions in one list are mapped by the other list.
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
