internal import EntityStore
internal import ListDiffing

extension CommittedList {
  /// The changes that lead to a later version, if only some rows may differ.
  ///
  /// A row that goes to another section is a move (F4). Within a section only the rows given move: one may stay if as
  /// many others stand before it as did before; of those that may, the longest run in old order stays (F3). Sections
  /// follow the same rule among themselves.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of changes and *n* of rows.
  func changes(to after: CommittedList, _ changes: [CommittedChange]) -> ListChanges {
    var work = Work(before: self, after: after)
    for change in changes { work.add(change) }
    return work.result()
  }

  /// Things that are in both versions and may have changed their places among others, which keep their order.
  private struct Survivors<Place: Comparable> {
    private var all: [(old: Place, new: Place, oldRank: Int, newRank: Int, isFresh: Bool)] = []
    /// The ranks of all that came, went or may move: before, and after.
    var oldRanks: [Int] = []
    var newRanks: [Int] = []

    mutating func add(_ old: Place, _ oldRank: Int, _ new: Place, _ newRank: Int, isFresh: Bool) {
      all.append((old, new, oldRank, newRank, isFresh))
      oldRanks.append(oldRank)
      newRanks.append(newRank)
    }

    /// Which move, and which stay and are fresh.
    func settled() -> (moves: [PositionChange<Place>], updates: [PositionChange<Place>]) {
      let (oldRanks, newRanks) = (oldRanks.sorted(), newRanks.sorted())
      let all = all.sorted { $0.new < $1.new }
      let mayStay = all.filter {
        $0.oldRank - Self.count(below: $0.oldRank, in: oldRanks)
          == $0.newRank - Self.count(below: $0.newRank, in: newRanks)
      }
      let isInRun = longestIncreasingRun(
        of: mayStay.map(\.oldRank), at: mayStay.map(\.newRank))
      let stays = Set(zip(mayStay, isInRun).filter { $0.1 }.map { $0.0.newRank })
      var moves: [PositionChange<Place>] = []
      var updates: [PositionChange<Place>] = []
      for survivor in all {
        let change = PositionChange(old: survivor.old, new: survivor.new)
        if !stays.contains(survivor.newRank) {
          moves.append(change)
        } else if survivor.isFresh {
          updates.append(change)
        }
      }
      return (moves, updates)
    }

    private static func count(below value: Int, in sorted: [Int]) -> Int {
      var (low, high) = (0, sorted.count)
      while low < high {
        let middle = (low + high) / 2
        if sorted[middle] < value { low = middle + 1 } else { high = middle }
      }
      return low
    }
  }

  private struct Work {
    let before: CommittedList
    let after: CommittedList
    var deletes: [ListPath] = []
    var inserts: [ListPath] = []
    var moves: [PositionChange<ListPath>] = []
    /// The rows that stay in their section, by its identity.
    var rows: [StoredValue: Survivors<ListPath>] = [:]
    /// The keys of sections that have a changed row: before, and after.
    var oldKeys: [StoredValue: SectionKey] = [:]
    var newKeys: [StoredValue: SectionKey] = [:]

    init(before: CommittedList, after: CommittedList) {
      self.before = before
      self.after = after
    }

    mutating func add(_ change: CommittedChange) {
      let old = change.old.map { (key: $0.section, path: before.path(of: $0)) }
      let new = change.new.map { (key: $0.section, path: after.path(of: $0)) }
      if let old { oldKeys[old.key.identity] = old.key }
      if let new { newKeys[new.key.identity] = new.key }
      if let old, let new, old.key.identity == new.key.identity {
        rows[new.key.identity, default: Survivors()].add(
          old.path, old.path.row, new.path, new.path.row, isFresh: true)
        return
      }
      if let old { rows[old.key.identity, default: Survivors()].oldRanks.append(old.path.row) }
      if let new { rows[new.key.identity, default: Survivors()].newRanks.append(new.path.row) }
      switch (old?.path, new?.path) {
      case (let old?, let new?): moves.append(PositionChange(old: old, new: new))
      case (let old?, nil): deletes.append(old)
      case (nil, let new?): inserts.append(new)
      case (nil, nil): break
      }
    }

    func result() -> ListChanges {
      var moves = moves
      var updates: [PositionChange<ListPath>] = []
      for survivors in rows.values {
        let settled = survivors.settled()
        moves += settled.moves
        updates += settled.updates
      }
      guard after.plan.isSectioned else {
        return ListChanges(deletes: deletes, inserts: inserts, moves: moves, updates: updates)
      }
      var deletedSections: [Int] = []
      var insertedSections: [Int] = []
      var retitled: [PositionChange<Int>] = []
      var sections = Survivors<Int>()
      for identity in rows.keys {
        let old = (oldKeys[identity] ?? newKeys[identity]).flatMap { before.section($0) }
        let new = (newKeys[identity] ?? oldKeys[identity]).flatMap { after.section($0) }
        switch (old, new) {
        case (let old?, let new?):
          let (oldKey, newKey) = (before.sections[old].key, after.sections[new].key)
          let isFresh = !oldKey.title.utf8.elementsEqual(newKey.title.utf8)
          if oldKey.order != newKey.order {
            // Its order changed, so all its rows are among the changes.
            sections.add(old, old, new, new, isFresh: isFresh)
          } else if isFresh {
            retitled.append(PositionChange(old: old, new: new))
          }
        case (let old?, nil):
          deletedSections.append(old)
          sections.oldRanks.append(old)
        case (nil, let new?):
          insertedSections.append(new)
          sections.newRanks.append(new)
        case (nil, nil): break
        }
      }
      let settled = sections.settled()
      return ListChanges(
        deletedSections: deletedSections, insertedSections: insertedSections,
        movedSections: settled.moves, updatedSections: retitled + settled.updates,
        deletes: deletes, inserts: inserts, moves: moves, updates: updates)
    }
  }
}

extension CommittedList: TrackedList {
  var isSectioned: Bool { plan.isSectioned }

  var sectionTitles: [String] { sections.map(\.key.title) }

  func isIdentical(to other: CommittedList) -> Bool { self === other }

  func changes(to other: CommittedList) -> ListChanges {
    let older = min(version, other.version)
    return SectionedListDiff(from: listed(older), to: other.listed(older)).changes
  }

  /// A row as two versions are compared by it.
  private struct ListedRow: Diffable {
    let row: CommittedRow
    let plan: CommittedPlan
    /// The version of the older list.
    let older: Int64

    var diffIdentifier: StoredValue { row.id }

    func isContentEqual(to other: ListedRow) -> Bool {
      if row === other.row && plan === other.plan { return true }
      guard plan.shownValues(of: row) == other.plan.shownValues(of: other.row) else { return false }
      if let a = row.object, let b = other.row.object { return a.isEqual(to: b) }
      // Without the objects: the newer row hasn't changed since the older list.
      return max(row.version, other.row.version) <= older
    }
  }

  private func listed(
    _ older: Int64
  ) -> [ListSection<TrackedHeader<StoredValue>, ListedRow>] {
    sections.map { section in
      ListSection(
        header: TrackedHeader(
          diffIdentifier: plan.isSectioned ? section.key.identity : nil, title: section.key.title),
        rows: section.rows.map { ListedRow(row: $0, plan: plan, older: older) })
    }
  }
}
