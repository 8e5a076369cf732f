internal import ListDiffing

/// The touched sections of a list, until it is decided which of them stay.
struct SectionTally {
  /// A position of a section, and its key there.
  typealias Place = (position: Int, key: SectionKey)

  private var deleted: [Int] = []
  private var inserted: [Int] = []
  private var updated: [PositionChange<Int>] = []
  private var survivors: [Survivor<Int>] = []

  /// Adds a section with its old and its new place; nil means that it isn't in that list.
  ///
  /// It may move if `mayMove` is true, or if another value orders it.
  mutating func add(_ old: Place?, _ new: Place?, mayMove: Bool) {
    guard let old else {
      if let new { inserted.append(new.position) }
      return
    }
    guard let new else {
      deleted.append(old.position)
      return
    }
    let isRetitled = !old.key.title.utf8.elementsEqual(new.key.title.utf8)
    if mayMove || old.key.order != new.key.order {
      survivors.append(Survivor(old: old.position, new: new.position, differs: isRetitled))
    } else if isRetitled {
      updated.append(PositionChange(old: old.position, new: new.position))
    }
  }

  /// Decides which sections stay, and returns their changes together with those of rows.
  ///
  /// The sections that weren't added keep their order.
  func changes(with rows: RowTally) -> ListChanges {
    var moved: [PositionChange<Int>] = []
    var updated = updated
    settle(
      survivors, index: { $0 }, oldTouched: deleted + survivors.map(\.old),
      newTouched: inserted + survivors.map(\.new), moves: &moved, updates: &updated)
    return ListChanges(
      deletedSections: deleted, insertedSections: inserted, movedSections: moved,
      updatedSections: updated, deletes: rows.deletes, inserts: rows.inserts, moves: rows.moves,
      updates: rows.updates)
  }
}
