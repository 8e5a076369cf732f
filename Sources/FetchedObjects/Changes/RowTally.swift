internal import ListDiffing

/// The touched rows of a list, by section, until it is decided which of them stay.
///
/// A section is known by its number: that of the sections that were added before it.
struct RowTally {
  /// A path of a row, and the number of its section.
  typealias Place = (path: ListPath, section: Int)

  /// The touched rows of one section.
  private struct Section {
    /// The rows that are in the section before and after.
    var survivors: [Survivor<ListPath>] = []
    /// The positions of touched rows, before and after.
    var oldRows: [Int] = []
    var newRows: [Int] = []
  }

  private var sections: [Section] = []
  private(set) var deletes: [ListPath] = []
  private(set) var inserts: [ListPath] = []
  private(set) var moves: [PositionChange<ListPath>] = []
  private(set) var updates: [PositionChange<ListPath>] = []

  /// Adds a section, which gets the next number.
  mutating func addSection() { sections.append(Section()) }

  /// Reserves memory for `count` rows that stay in a section.
  mutating func reserveCapacity(_ count: Int, in section: Int) {
    sections[section].survivors.reserveCapacity(count)
    sections[section].oldRows.reserveCapacity(count)
    sections[section].newRows.reserveCapacity(count)
  }

  /// Adds a row with its old and its new place; nil means that it isn't in that list.
  ///
  /// If `isSame` is false, these are two rows. A row that stays is an update if `differs` is true.
  mutating func add(
    _ old: Place?, _ new: Place?, isSame: Bool = true, differs: Bool
  ) {
    if let old { sections[old.section].oldRows.append(old.path.row) }
    if let new { sections[new.section].newRows.append(new.path.row) }
    if isSame, let old, let new {
      if old.section == new.section {
        sections[old.section].survivors.append(
          Survivor(old: old.path, new: new.path, differs: differs))
      } else {
        moves.append(PositionChange(old: old.path, new: new.path))
      }
      return
    }
    if let old { deletes.append(old.path) }
    if let new { inserts.append(new.path) }
  }

  /// Decides which rows stay in their sections, and adds the others to the moves.
  mutating func settleRows() {
    for section in sections {
      settle(
        section.survivors, index: \.row, oldTouched: section.oldRows, newTouched: section.newRows,
        moves: &moves, updates: &updates)
    }
  }
}
