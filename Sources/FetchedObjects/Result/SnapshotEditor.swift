internal import EntityStore

/// A snapshot on its way to the next one.
///
/// First all old rows are taken out, compared by what they were, then the new ones are put in,
/// compared by what they are; in between no row is compared with one of another version. The rows of
/// a touched section are taken out of the tree once and put back at the end, so that each node on the
/// way to a change is copied once, however many changes there are.
struct SnapshotEditor {
  private struct Section {
    var key: SectionKey
    var rows: RankTree
  }

  private let plan: ResultPlan
  private let before: ResultTable
  private(set) var table: ResultTable
  private var sections: SectionTree
  /// How often two rows have been compared by what they hold.
  private(set) var comparisons = 0
  /// The touched sections.
  private var touched: [Section] = []
  /// The positions in `touched`, by the values that sections are ordered by.
  private var places: [[StoredValue]: Int] = [:]

  init(of snapshot: ResultSnapshot) {
    plan = snapshot.plan
    before = snapshot.table
    table = snapshot.table
    sections = snapshot.sections
  }

  /// Makes the changes.
  ///
  /// - Complexity: O(*k* log *n*) for *k* changes.
  mutating func apply(_ changes: [ResultChange], _ free: inout FreeSlots) {
    var insertions: [(slot: Int, row: ResultRow)] = []
    for change in changes {
      guard let slot = change.slot, let old = change.old else { continue }
      guard let new = change.new else {
        remove(slot, old)
        continue
      }
      if !plan.staysInPlace(old, new) {
        remove(slot, old)
        insertions.append((slot, new))
      } else if plan.contributesDifferently(old, new) {
        discardSummaries(slot, old)
      }
    }
    // From here on rows are what they are after the changes.
    var freed: [Int] = []
    for change in changes {
      switch (change.slot, change.new) {
      case (let slot?, let new?): table.replace(slot, with: new)
      case (let slot?, nil):
        table.remove(slot)
        freed.append(slot)
      case (nil, let new?):
        let slot = free.take()
        table.insert(new, at: slot)
        insertions.append((slot, new))
      case (nil, nil): break
      }
    }
    for (slot, row) in insertions { insert(slot, row) }
    for slot in freed { free.giveBack(slot) }
  }

  private mutating func remove(_ slot: Int, _ row: ResultRow) {
    let place = touch(plan.sectionKey(of: row))
    let entry = RankEntry(prefix: plan.order.prefix(row.row, row.values), slot: UInt32(slot))
    let (plan, before) = (plan, before)
    var count = 0
    touched[place].rows.remove(entry) { other in
      count += 1
      return plan.comesNoEarlier(before[Int(other)], row)
    }
    comparisons += count
  }

  /// Makes the nodes above a row, which stays where it is, others than those of older snapshots, in which
  /// the row is what it was.
  private mutating func discardSummaries(_ slot: Int, _ row: ResultRow) {
    let place = touch(plan.sectionKey(of: row))
    let entry = RankEntry(prefix: plan.order.prefix(row.row, row.values), slot: UInt32(slot))
    let (plan, before) = (plan, before)
    var count = 0
    touched[place].rows.discardSummaries(of: entry) { other in
      count += 1
      return plan.comesNoEarlier(before[Int(other)], row)
    }
    comparisons += count
  }

  private mutating func insert(_ slot: Int, _ row: ResultRow) {
    let key = plan.sectionKey(of: row)
    let place = touch(key)
    let entry = RankEntry(prefix: plan.order.prefix(row.row, row.values), slot: UInt32(slot))
    let (plan, table) = (plan, table)
    var count = 0
    touched[place].rows.insert(entry) { other in
      count += 1
      return plan.comesNoEarlier(table[Int(other)], row)
    }
    comparisons += count
    // The title of a section is that of the newest row: all rows agree on it.
    touched[place].key = key
  }

  /// The position in `touched` of a section, which is taken out if it wasn't yet.
  private mutating func touch(_ key: SectionKey) -> Int {
    let isOnly = plan.sectionOrder.isEmpty
    if isOnly && !touched.isEmpty { return 0 }
    if !isOnly, let place = places[key.order] { return place }
    let position = position(of: key)
    let rows = isSection(key, at: position) ? sections[position].rows : RankTree()
    touched.append(Section(key: key, rows: rows))
    if !isOnly { places[key.order] = touched.count - 1 }
    return touched.count - 1
  }

  private func position(of key: SectionKey) -> Int {
    sections.partitioningIndex { plan.compare($0.key, key) >= 0 }
  }

  private func isSection(_ key: SectionKey, at position: Int) -> Bool {
    position < sections.count && plan.compare(sections[position].key, key) == 0
  }

  /// The sections with what was taken out put back.
  ///
  /// No section is left empty, but for the one of a result without sections.
  mutating func finish() -> SectionTree {
    for section in touched {
      let position = position(of: section.key)
      let isHere = isSection(section.key, at: position)
      if section.rows.isEmpty && !plan.sectionOrder.isEmpty {
        if isHere { sections.remove(at: position) }
      } else {
        let finished = ResultSection(key: section.key, rows: section.rows)
        if isHere {
          sections.replace(at: position, with: finished)
        } else {
          sections.insert(finished, at: position)
        }
      }
    }
    return sections
  }
}
