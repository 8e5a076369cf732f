internal import ListDiffing

extension PlacedRows {
  /// Returns the changes between the two results that the paths belong to.
  ///
  /// - Complexity: O(*k* log *k*) for *k* rows, plus a search for each row that has kept its place.
  func changes(from before: ResultView, to after: ResultView) -> ListChanges {
    if rows.count == 1 {
      let row = rows[0]
      let old = row.keepsPlace ? before.path(of: row.id) : row.old
      let new = row.keepsPlace ? old : row.new
      if let changes = ListChanges(ofOne: old, new, from: before, to: after) { return changes }
    }
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
}

extension ListChanges {
  /// Creates the changes between two results of one query of which one row alone differs.
  ///
  /// It is nil if the row touches other sections than its own, or if that has changed itself.
  init?(ofOne old: ListPath?, _ new: ListPath?, from before: ResultView, to after: ResultView) {
    if !before.plan.sectionOrder.isEmpty {
      guard let old, let new,
        before.key(ofSection: old.section) == after.key(ofSection: new.section)
      else { return nil }
    }
    switch (old, new) {
    case (nil, nil): self.init()
    case (let old?, nil): self.init(deletes: [old])
    case (nil, let new?): self.init(inserts: [new])
    case (let old?, let new?):
      let change = PositionChange(old: old, new: new)
      if old == new { self.init(updates: [change]) } else { self.init(moves: [change]) }
    }
  }
}
