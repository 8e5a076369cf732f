internal import EntityStore
internal import ListDiffing

extension ResultView: SectionedResult {}

// Between results that hold their rows.
extension ChangeWork<ResultView> {
  mutating func touch(_ old: ResultRow?, _ new: ResultRow?) {
    touch(
      old, old.flatMap { before.path(of: $0) }, new, new.flatMap { after.path(of: $0) })
  }

  /// Touches all rows.
  ///
  /// - Complexity: O(*n*) where *n* is the number of rows of both snapshots, if hashing is.
  mutating func touchAll() {
    // The old path of the row in each slot, until its new one is known.
    var oldPaths: [ListPath?] = []
    before.forEachPath { slot, path in
      while oldPaths.count <= slot { oldPaths.append(nil) }
      oldPaths[slot] = path
    }
    let (old, new) = (before.base.table, after.base.table)
    let isOneQuery = before.plan === after.plan
    after.forEachPath { slot, path in
      guard let row = new[slot] else { return }
      guard let oldSlot = old.slot(of: row.id), oldSlot < oldPaths.count,
        let oldPath = oldPaths[oldSlot], let oldRow = old[oldSlot]
      else { return touch(nil, nil, row, path) }
      oldPaths[oldSlot] = nil
      if isOneQuery && !row.differs(from: oldRow) { return }
      touch(oldRow, oldPath, row, path)
    }
    for (slot, path) in oldPaths.enumerated() {
      if let path, let row = old[slot] { touch(row, path, nil, nil) }
    }
  }

  private mutating func touch(
    _ old: ResultRow?, _ oldPath: ListPath?, _ new: ResultRow?, _ newPath: ListPath?
  ) {
    // Of one query only rows that differ are touched.
    var isOther = before.plan === after.plan
    if !isOther, oldPath != nil, newPath != nil, let old, let new {
      isOther = differ(old, before.plan, new, after.plan)
    }
    touch(oldPath, newPath, differs: isOther)
  }
}

/// Whether an attribute, or a value on a declared path, differs; between two queries, on a path that
/// they include.
func differ(
  _ old: ResultRow, _ oldPlan: ResultPlan, _ new: ResultRow, _ newPlan: ResultPlan
) -> Bool {
  if oldPlan === newPlan { return new.differs(from: old) }
  return !new.row.isEqual(to: old.row)
    || oldPlan.includedValues(of: old) != newPlan.includedValues(of: new)
}
