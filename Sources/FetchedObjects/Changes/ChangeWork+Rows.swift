@_spi(Storage) internal import EntityStore
internal import ListDiffing

// Changes between results that hold their rows.
extension ChangeWork<ResultView> {
  /// Touches all rows.
  ///
  /// - Complexity: O(*n*) where *n* is the number of rows of both snapshots, if hashing them is,
  ///   too.
  mutating func touchAll() {
    var old = UnmatchedRows(before)
    let isOneQuery = before.plan === after.plan
    // By another relevance a row may move that shows no difference.
    let isRanked = after.plan.query.isRanked
    let oldTable = before.base.table
    let newTable = after.base.table
    // Most rows have the same version in both results. Their addresses in memory alone show that.
    let included = !isOneQuery && (before.plan.hasIncludedValues || after.plan.hasIncludedValues)
    var slots: [(slot: Int, path: ListPath)] = []
    slots.reserveCapacity(after.count)
    after.forEachPath { slots.append(($0, $1)) }
    var next = 0
    var batch = UnsafeObjectBatch(of: newTable.rows, size: 1, expected: 0)
    func touch(_ object: UnsafeRawPointer, _ found: Int?) {
      let (slot, path) = slots[next]
      next += 1
      guard let found, let oldPath = old.take(found) else {
        return self.touch(nil, path, differs: false)
      }
      var differs = isOneQuery
      if isOneQuery || included || oldTable.rows.object(found) != object,
        let oldRow = oldTable[found], let row = newTable[slot]
      {
        differs = differ(oldRow, before.plan, row, after.plan)
        // Between results of one query, only rows that differ are touched.
        if isOneQuery && !differs && !isRanked { return }
      }
      self.touch(oldPath, path, differs: differs)
    }
    for (slot, _) in slots {
      batch.append(slot)
      if batch.room > 0 { continue }
      oldTable.rows.forEachSlot(ofObjects: batch.objects, touch)
      batch.clear()
    }
    oldTable.rows.forEachSlot(ofObjects: batch.objects, touch)
    old.forEach { self.touch($0, nil, differs: false) }
  }
}

/// The paths of a result's rows by their slots; a path is removed when it is taken.
struct UnmatchedRows {
  /// A path in eight bytes, so that the paths of all slots stay in a cache.
  private struct Path {
    let section: Int32
    let row: Int32

    var path: ListPath? { row < 0 ? nil : ListPath(section: Int(section), row: Int(row)) }

    static var none: Path { Path(section: -1, row: -1) }
  }

  private var paths: ContiguousArray<Path> = []
  /// The paths of the rows if only a small part of the result is shown.
  ///
  /// Their slots may be far apart. Then `paths` is empty.
  private var few: [Int: ListPath] = [:]

  init(_ view: ResultView) {
    if view.count < view.base.count / 8 {
      few.reserveCapacity(view.count)
      view.forEachPath { few[$0] = $1 }
      return
    }
    paths.reserveCapacity(view.count)
    view.forEachPath { slot, path in
      while paths.count <= slot { paths.append(.none) }
      paths[slot] = Path(section: Int32(path.section), row: Int32(path.row))
    }
  }

  /// Removes and returns the path of the row in a slot, or nil if it isn't shown or has been taken.
  mutating func take(_ slot: Int) -> ListPath? {
    guard slot < paths.count else { return few.removeValue(forKey: slot) }
    guard let path = paths[slot].path else { return nil }
    paths[slot] = .none
    return path
  }

  func forEach(_ body: (ListPath) -> Void) {
    for path in paths { path.path.map(body) }
    for path in few.values { body(path) }
  }

  /// The number of slots for which there is a place.
  var room: Int { paths.count + few.count }
}

/// Returns true if an attribute, or a value on a declared path, differs.
///
/// Between two queries, the values on the paths that they include are compared, and their names.
func differ(
  _ old: ResultRow, _ oldPlan: ResultPlan, _ new: ResultRow, _ newPlan: ResultPlan
) -> Bool {
  if oldPlan === newPlan { return new.differs(from: old) }
  return !new.row.isEqual(to: old.row) || oldPlan.feedSeed != newPlan.feedSeed
    || oldPlan.includedValues(of: old) != newPlan.includedValues(of: new)
}
