internal import EntityStore
internal import ListDiffing

/// The changes that lead from one snapshot to another, if only the rows of `candidates` may differ; nil
/// is all.
///
/// A candidate that is equal and need not move gives nothing (F2, F3). A row that goes to another
/// section is a move (F4). Within a section only candidates move: one may stay if as many untouched
/// survivors stand before it as did before; of those that may, the longest run in old order stays.
/// Sections follow the same rule among themselves.
///
/// - Complexity: O(*k* log *n*), where *k* is the number of candidates and *n* of rows.
func listChanges(
  from before: ResultView, to after: ResultView, touching candidates: [StoredValue]?
) -> ListChanges {
  guard let candidates, before.plan === after.plan else {
    return changes(from: before, to: after, before.ids.union(after.ids))
  }
  if before.window != nil || after.window != nil {
    let all = Set(candidates)
    return changes(from: before, to: after, all.union(crossings(from: before, to: after, all)))
  }
  if candidates.count == 1, let only = candidates.first,
    let changes = changesOfOne(from: before, to: after, only)
  {
    return changes
  }
  return changes(from: before, to: after, candidates)
}

private func changes(
  from before: ResultView, to after: ResultView, _ candidates: some Collection<StoredValue>
) -> ListChanges {
  var work = ChangeWork(before: before, after: after)
  let isOneQuery = before.plan === after.plan
  for id in candidates {
    let (old, new) = (before.row(id), after.row(id))
    // What is as it was keeps its place among others that are, so it is no candidate.
    if isOneQuery, let old, let new, !new.differs(from: old) { continue }
    work.touch(old, new)
  }
  return work.result()
}

/// The ids of the rows that come into a window or leave it though they aren't touched.
///
/// They keep their order, so those that cross an edge stand together at that edge.
///
/// - Complexity: O((*m* + *k*) log *n*) for *m* rows that cross an edge and *k* that are touched.
private func crossings(
  from before: ResultView, to after: ResultView, _ touched: Set<StoredValue>
) -> [StoredValue] {
  var crossing: [StoredValue] = []
  func walk(_ view: ResultView, _ positions: some Sequence<Int>, isIn other: ResultView) {
    for position in positions {
      let id = view.row(position).id
      if touched.contains(id) { continue }
      if other.row(id) != nil { return }
      crossing.append(id)
    }
  }
  for (view, other) in [(before, after), (after, before)] {
    let start = crossing.count
    walk(view, 0..<view.count, isIn: other)
    if crossing.count - start < view.count {
      walk(view, (0..<view.count).reversed(), isIn: other)
    }
  }
  return crossing
}

/// The changes if one row alone may differ and touches no section but its own, which stays as it is;
/// otherwise nil.
private func changesOfOne(
  from before: ResultView, to after: ResultView, _ id: StoredValue
) -> ListChanges? {
  let (old, new) = (before.row(id), after.row(id))
  if !before.plan.sectionOrder.isEmpty || !after.plan.sectionOrder.isEmpty {
    guard before.plan === after.plan, let old, let new,
      before.plan.sectionKey(of: old) == after.plan.sectionKey(of: new)
    else { return nil }
  }
  switch (old.flatMap { before.path(of: $0) }, new.flatMap { after.path(of: $0) }) {
  case (nil, nil): return ListChanges()
  case (let old?, nil): return ListChanges(deletes: [old])
  case (nil, let new?): return ListChanges(inserts: [new])
  case (let oldPath?, let newPath?):
    let change = PositionChange(old: oldPath, new: newPath)
    if oldPath != newPath { return ListChanges(moves: [change]) }
    guard let old, let new, differ(old, before.plan, new, after.plan) else { return ListChanges() }
    return ListChanges(updates: [change])
  }
}

/// Whether an attribute, or a value on a declared path, differs; between two queries, on a path that
/// they include.
private func differ(
  _ old: ResultRow, _ oldPlan: ResultPlan, _ new: ResultRow, _ newPlan: ResultPlan
) -> Bool {
  if oldPlan === newPlan { return new.differs(from: old) }
  return !new.row.isEqual(to: old.row)
    || oldPlan.includedValues(of: old) != newPlan.includedValues(of: new)
}

private struct ChangeWork {
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
    let oldPath = old.flatMap { before.path(of: $0) }
    let newPath = new.flatMap { after.path(of: $0) }
    let oldKey = old.map { before.plan.sectionKey(of: $0) }
    let newKey = new.map { after.plan.sectionKey(of: $0) }
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
