internal import EntityStore
internal import ListDiffing

/// The changes between two snapshots while they are being found: candidates are touched one by one, and then
/// it is decided which of them stay.
struct ChangeWork {
  /// A row that is in both snapshots, in one section.
  struct Survivor {
    let old: ResultRow
    let new: ResultRow
    let oldPath: ListPath
    let newPath: ListPath
  }

  /// The touched rows of one section, by its identity.
  struct Section {
    var survivors: [Survivor] = []
    /// The positions of touched rows: before, and after.
    var oldRows: [Int] = []
    var newRows: [Int] = []
  }

  let before: ResultView
  let after: ResultView
  var deletes: [ListPath] = []
  var inserts: [ListPath] = []
  var moves: [PositionChange<ListPath>] = []
  var updates: [PositionChange<ListPath>] = []
  var sections: [StoredValue: Section] = [:]
  /// The keys of touched sections: before, and after.
  var oldKeys: [StoredValue: SectionKey] = [:]
  var newKeys: [StoredValue: SectionKey] = [:]

  init(before: ResultView, after: ResultView) {
    self.before = before
    self.after = after
  }

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
    let oldKey = oldPath.map { before.key(ofSection: $0.section) }
    let newKey = newPath.map { after.key(ofSection: $0.section) }
    if let oldKey, let oldPath {
      oldKeys[oldKey.identity] = oldKey
      sections[oldKey.identity, default: Section()].oldRows.append(oldPath.row)
    }
    if let newKey, let newPath {
      newKeys[newKey.identity] = newKey
      sections[newKey.identity, default: Section()].newRows.append(newPath.row)
    }
    switch (old, oldPath, new, newPath) {
    case (let old?, let oldPath?, let new?, let newPath?):
      if let identity = newKey?.identity, identity == oldKey?.identity {
        sections[identity, default: Section()].survivors.append(
          Survivor(old: old, new: new, oldPath: oldPath, newPath: newPath))
      } else {
        moves.append(PositionChange(old: oldPath, new: newPath))
      }
    case (_, let oldPath?, _, _): deletes.append(oldPath)
    case (_, _, _, let newPath?): inserts.append(newPath)
    default: break
    }
  }

  mutating func result() -> ListChanges {
    let haveSections = !before.plan.sectionOrder.isEmpty || !after.plan.sectionOrder.isEmpty
    if haveSections { touchOnlySections() }
    for section in sections.values { settle(section) }
    var changes = ListChanges(deletes: deletes, inserts: inserts, moves: moves, updates: updates)
    if haveSections { changes = withSections(changes) }
    return changes
  }

  /// The one section of a result without sections is there even if no row of it is a candidate.
  private mutating func touchOnlySections() {
    for view in [before, after] where view.plan.sectionOrder.isEmpty {
      sections[SectionKey.only.identity, default: Section()].oldRows += []
    }
    if before.plan.sectionOrder.isEmpty { oldKeys[SectionKey.only.identity] = .only }
    if after.plan.sectionOrder.isEmpty { newKeys[SectionKey.only.identity] = .only }
  }

  /// Decides which survivors of a section stay.
  private mutating func settle(_ section: Section) {
    let oldRows = section.oldRows.sorted()
    let newRows = section.newRows.sorted()
    let survivors = section.survivors.sorted { $0.newPath < $1.newPath }
    let mayStay = survivors.indices.filter { index in
      let survivor = survivors[index]
      return survivor.oldPath.row - rank(of: survivor.oldPath.row, in: oldRows)
        == survivor.newPath.row - rank(of: survivor.newPath.row, in: newRows)
    }
    let isInRun = longestIncreasingRun(of: mayStay.map { survivors[$0].oldPath.row })
    var stays = [Bool](repeating: false, count: survivors.count)
    for (place, index) in mayStay.enumerated() { stays[index] = isInRun[place] }
    for (index, survivor) in survivors.enumerated() {
      let change = PositionChange(old: survivor.oldPath, new: survivor.newPath)
      if !stays[index] {
        moves.append(change)
      } else if differ(survivor.old, before.plan, survivor.new, after.plan) {
        updates.append(change)
      }
    }
  }

  /// How many of `sorted` are less than `value`.
  private func rank(of value: Int, in sorted: [Int]) -> Int {
    var low = 0
    var high = sorted.count
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low
  }

  // MARK: Sections

  /// Adds what happened to the sections.
  ///
  /// A section whose order changed has all its rows among the candidates, so the keys of touched
  /// rows tell where every touched section was and is.
  private func withSections(_ changes: ListChanges) -> ListChanges {
    let isOneQuery = before.plan === after.plan
    var deleted: [Int] = []
    var inserted: [Int] = []
    var updated: [PositionChange<Int>] = []
    var survivors: [(old: Int, new: Int, isRetitled: Bool)] = []
    // Positions of sections that came, went or may move; all others keep their order.
    var oldTouched: [Int] = []
    var newTouched: [Int] = []
    for identity in sections.keys {
      // Between two queries all rows are candidates, so that each has named its own section.
      let oldKey = oldKeys[identity] ?? (isOneQuery ? newKeys[identity] : nil)
      let newKey = newKeys[identity] ?? (isOneQuery ? oldKeys[identity] : nil)
      let old = oldKey.flatMap { before.section($0) }
      let new = newKey.flatMap { after.section($0) }
      switch (old, new) {
      case (let old?, let new?):
        let oldSection = before.key(ofSection: old)
        let newSection = after.key(ofSection: new)
        let isRetitled = !StoredValue.text(oldSection.title).isText(newSection.title)
        if isOneQuery && oldSection.order == newSection.order {
          if isRetitled { updated.append(PositionChange(old: old, new: new)) }
        } else {
          survivors.append((old, new, isRetitled))
          oldTouched.append(old)
          newTouched.append(new)
        }
      case (let old?, nil):
        deleted.append(old)
        oldTouched.append(old)
      case (nil, let new?):
        inserted.append(new)
        newTouched.append(new)
      case (nil, nil): break
      }
    }
    oldTouched.sort()
    newTouched.sort()
    survivors.sort { $0.new < $1.new }
    let mayStay = survivors.indices.filter { index in
      survivors[index].old - rank(of: survivors[index].old, in: oldTouched)
        == survivors[index].new - rank(of: survivors[index].new, in: newTouched)
    }
    let isInRun = longestIncreasingRun(of: mayStay.map { survivors[$0].old })
    var stays = [Bool](repeating: false, count: survivors.count)
    for (place, index) in mayStay.enumerated() { stays[index] = isInRun[place] }
    var moved: [PositionChange<Int>] = []
    for (index, survivor) in survivors.enumerated() {
      let change = PositionChange(old: survivor.old, new: survivor.new)
      if !stays[index] {
        moved.append(change)
      } else if survivor.isRetitled {
        updated.append(change)
      }
    }
    return ListChanges(
      deletedSections: deleted, insertedSections: inserted, movedSections: moved,
      updatedSections: updated, deletes: changes.deletes, inserts: changes.inserts,
      moves: changes.moves, updates: changes.updates)
  }
}

extension StoredValue {
  fileprivate func isText(_ text: String) -> Bool { self == .text(text) }
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
