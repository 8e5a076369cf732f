internal import EntityStore
internal import Locking
internal import ListDiffing

/// A result at one version of the store.
///
/// A snapshot is immutable, and the next one shares the parts that are the same. It is a tree of
/// sections over a table of row versions, and each section has a tree of rows. A tree's entry
/// refers to a row by its slot. It begins with a number made of the row's key, so that few
/// comparisons read a row.
final class ResultSnapshot: Sendable {
  let plan: ResultPlan
  let version: Int64
  let sections: SectionTree
  let table: ResultTable
  /// True if the nodes keep the check sums of feeds.
  ///
  /// It is true only in snapshots that are made after a feed has asked for a check sum. An older
  /// snapshot may share nodes above rows that have changed without moving.
  let keepsCheckSums: Bool
  /// The position of the rows in a larger result, if they are a part of it.
  let extent: WindowExtent?
  /// The time at which conditions of time were evaluated, if there are any.
  let time: PinnedTime?

  private init(
    _ plan: ResultPlan, version: Int64, sections: SectionTree, table: ResultTable,
    keepsCheckSums: Bool, extent: WindowExtent? = nil, time: PinnedTime? = nil
  ) {
    self.time = time
    self.extent = extent
    self.keepsCheckSums = keepsCheckSums
    self.plan = plan
    self.version = version
    self.sections = sections
    self.table = table
    sections.checkInvariants()
    checkSummaries()
  }

  /// Creates the snapshot of rows that are in order.
  ///
  /// - Complexity: O(*n*) where *n* is the number of rows.
  convenience init(_ plan: ResultPlan, rows: [ResultRow], version: Int64) {
    self.init(plan, table: ResultTable(plan, rows), version: version) { slot in
      plan.order.prefix(rows[slot].row, rows[slot].values)
    }
  }

  /// Creates the snapshot of rows that are in order, for a query that reads nothing of other
  /// objects.
  ///
  /// - Complexity: O(*n*) where *n* is the number of rows.
  convenience init(_ plan: ResultPlan, rows: Sorting, version: Int64) {
    let table = ResultTable(rows)
    let areSame = plan.order.hasPrefixes(of: rows.firstKey)
    self.init(plan, table: table, version: version) { slot in
      if areSame { return rows.prefix(slot) }
      return table[slot].map { plan.order.prefix($0.row, nil) } ?? 0
    }
  }

  /// Creates the snapshot of a table's rows, which are in the order of their slots, from 0 on.
  private convenience init(
    _ plan: ResultPlan, table: ResultTable, version: Int64, prefix: (_ slot: Int) -> UInt64
  ) {
    func entries(_ slots: Range<Int>) -> ContiguousArray<RankEntry> {
      ContiguousArray(slots.map { RankEntry(prefix: prefix($0), slot: UInt32($0)) })
    }
    var sections: [ResultSection] = []
    if plan.sectionOrder.isEmpty {
      let entries = entries(0..<table.count)
      sections.append(ResultSection(key: .only, rows: RankTree(sorted: entries)))
    } else {
      var start = 0
      var next = table[0]
      var slot = 0
      while let row = next {
        slot += 1
        next = table[slot]
        if let next, plan.isSameSection(row, next) { continue }
        sections.append(
          ResultSection(
            key: plan.sectionKey(of: row), rows: RankTree(sorted: entries(start..<slot))))
        start = slot
      }
    }
    self.init(
      plan, version: version,
      sections: SectionTree(sections, keepsSummaries: plan.keepsSummaries), table: table,
      keepsCheckSums: false)
  }

  var count: Int { table.count }

  /// The number of rows of the result that these rows are the first of, or a window of.
  var totalCount: Int { extent?.totalCount ?? count }

  // MARK: Reading

  /// Returns the row at a position among all rows.
  ///
  /// - Complexity: O(log *n*)
  func row(_ position: Int) -> ResultRow { row(at: sections.path(ofRow: position)) }

  /// Returns the row at a path in the snapshot.
  ///
  /// - Complexity: O(log *n*)
  func row(at path: ListPath) -> ResultRow { row(sections[path.section].rows[path.row]) }

  func row(_ entry: RankEntry) -> ResultRow {
    guard let row = table[Int(entry.slot)] else {
      preconditionFailure("A result's tree names a row that its table doesn't have")
    }
    return row
  }

  /// Returns the row with an id, or nil.
  ///
  /// - Complexity: O(1) on average.
  func row(_ id: StoredValue) -> ResultRow? { table.row(id) }

  /// Calls `body` with each row, in order.
  func forEach(_ body: (ResultRow) throws -> Void) rethrows {
    try sections.forEach { section in
      try section.rows.forEach { try body(row($0)) }
    }
  }

  /// Returns the path of a row in the snapshot.
  ///
  /// - Complexity: O(log *n*) comparisons.
  func path(of row: ResultRow) -> ListPath {
    let section =
      plan.sectionOrder.isEmpty ? 0 : sections.position(of: plan.sectionKey(of: row), in: plan)
    var comparisons = 0
    let rank = sections[section].rows.rank(of: plan.order.prefix(row.row, row.values)) { slot in
      comparisons += 1
      return plan.comesNoEarlier(table[Int(slot)], row)
    }
    if comparisons > 0 { plan.compared.add(comparisons) }
    return ListPath(section: section, row: rank)
  }

  /// Returns the position among all rows of a row, or the one where it would be.
  ///
  /// - Complexity: O(log *n*) comparisons.
  func position(of row: ResultRow) -> Int {
    let key = plan.sectionKey(of: row)
    let section = plan.sectionOrder.isEmpty ? 0 : sections.position(of: key, in: plan)
    let start = sections.weight(before: section)
    guard section < sections.count,
      plan.sectionOrder.isEmpty || plan.compare(sections[section].key, key) == 0
    else { return start }
    return start + path(of: row).row
  }

  // MARK: The next snapshot

  /// Returns this snapshot if none of some versions can be a part of it.
  ///
  /// Of an external commit, the rows may have been read in part before it is merged.
  func before(_ versions: ClosedRange<Int64>) -> ResultSnapshot? {
    versions.lowerBound > version ? self : nil
  }

  /// Returns the same rows for a version in which they have another position in a larger result.
  func placed(at extent: WindowExtent, version: Int64) -> ResultSnapshot {
    ResultSnapshot(
      plan, version: version, sections: sections, table: table, keepsCheckSums: keepsCheckSums,
      extent: extent)
  }

  /// Returns the same rows, evaluated at a time.
  func at(_ time: PinnedTime) -> ResultSnapshot {
    ResultSnapshot(
      plan, version: version, sections: sections, table: table, keepsCheckSums: keepsCheckSums,
      extent: extent, time: time)
  }

  /// Returns the changes of a delta that make a difference to this snapshot.
  func relevant(_ delta: ResultDelta) -> ContiguousArray<ResultChange> {
    var changes: ContiguousArray<ResultChange> = []
    for candidate in delta.rows {
      let slot = table.slot(of: candidate.id)
      let old = slot.flatMap { table[$0] }
      if let change = ResultChange(of: candidate.id, slot: slot, old: old, new: candidate.new) {
        if changes.isEmpty { changes.reserveCapacity(delta.rows.count) }
        changes.append(change)
      }
    }
    return changes
  }

  /// Returns the snapshot after a commit, or after a time, and the changed rows with their paths.
  ///
  /// - Complexity: O(*k* log *n*) where *k* is the number of changes.
  func applying(
    _ changes: ContiguousArray<ResultChange>, version: Int64, at time: PinnedTime? = nil,
    _ free: inout FreeSlots, _ work: inout ResultWork
  ) -> (after: ResultSnapshot, touched: TouchedObjects) {
    let keepsCheckSums = keepsCheckSums || plan.isFed.load() != 0
    var editor = SnapshotEditor(of: self, keepsCheckSums: keepsCheckSums)
    editor.apply(changes, &free)
    let sections = editor.finish()
    work.changes += changes.count
    work.comparisons += editor.comparisons
    let after = ResultSnapshot(
      plan, version: version, sections: sections, table: editor.table,
      keepsCheckSums: keepsCheckSums, time: time)
    return (after, editor.touched(before: self.version, after: version))
  }
}
