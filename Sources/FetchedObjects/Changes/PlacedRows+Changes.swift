internal import ListDiffing

extension PlacedRows {
  /// Returns the changes between the two results that the paths belong to.
  ///
  /// - Complexity: O(*k* log *k*) for *k* rows, plus a search for each row that has kept its place.
  func changes(from before: ResultView, to after: ResultView) -> ListChanges {
    if rows.count == 1, let changes = changesOfOne(from: before, to: after) { return changes }
    let haveMoved = rows.contains { !$0.keepsPlace }
    var work = ChangeWork(before: before, after: after)
    work.reserveCapacity(rows.count)
    for row in rows {
      if row.keepsPlace {
        let path = before.path(of: row.id)
        work.touch(path, haveMoved ? after.path(of: row.id) : path, differs: true)
      } else {
        work.touch(row.old, row.new, differs: true)
      }
    }
    return work.result()
  }

  /// Returns the changes if there is one row that touches only its own section, or nil.
  ///
  /// It also returns nil if that section itself has changed.
  private func changesOfOne(from before: ResultView, to after: ResultView) -> ListChanges? {
    let row = rows[0]
    let old = row.keepsPlace ? before.path(of: row.id) : row.old
    let new = row.keepsPlace ? old : row.new
    if !before.plan.sectionOrder.isEmpty {
      guard let old, let new,
        before.key(ofSection: old.section) == after.key(ofSection: new.section)
      else { return nil }
    }
    switch (old, new) {
    case (nil, nil): return ListChanges()
    case (let old?, nil): return ListChanges(deletes: [old])
    case (nil, let new?): return ListChanges(inserts: [new])
    case (let old?, let new?):
      let change = PositionChange(old: old, new: new)
      return old == new ? ListChanges(updates: [change]) : ListChanges(moves: [change])
    }
  }
}
