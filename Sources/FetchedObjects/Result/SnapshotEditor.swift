internal import EntityStore

/// A snapshot on its way to the next one.
///
/// First all old rows are taken out, compared by what they were, then the new ones are put in,
/// compared by what they are; in between no row is compared with one of another version.
struct SnapshotEditor {
  private let plan: ResultPlan
  private let before: ResultTable
  private(set) var table: ResultTable
  private var sections: SectionsEditor
  /// Whether all that a row shows contributes to what nodes keep.
  private let keepsCheckSums: Bool
  /// How often two rows have been compared by what they hold.
  private(set) var comparisons = 0

  init(of snapshot: ResultSnapshot, keepsCheckSums: Bool) {
    self.keepsCheckSums = keepsCheckSums
    plan = snapshot.plan
    before = snapshot.table
    table = snapshot.table
    sections = SectionsEditor(
      keepsCheckSums ? snapshot.sections.keepingSummaries : snapshot.sections, of: snapshot.plan)
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
      } else if keepsCheckSums || plan.contributesDifferently(old, new) {
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
    let place = sections.touch(plan.sectionKey(of: row))
    let entry = RankEntry(prefix: plan.order.prefix(row.row, row.values), slot: UInt32(slot))
    let (plan, before) = (plan, before)
    var count = 0
    sections.touched[place].rows.remove(entry) { other in
      count += 1
      return plan.comesNoEarlier(before[Int(other)], row)
    }
    comparisons += count
  }

  /// Makes the nodes above a row, which stays where it is, others than those of older snapshots, in which
  /// the row is what it was.
  private mutating func discardSummaries(_ slot: Int, _ row: ResultRow) {
    let place = sections.touch(plan.sectionKey(of: row))
    let entry = RankEntry(prefix: plan.order.prefix(row.row, row.values), slot: UInt32(slot))
    let (plan, before) = (plan, before)
    var count = 0
    sections.touched[place].rows.discardSummaries(of: entry) { other in
      count += 1
      return plan.comesNoEarlier(before[Int(other)], row)
    }
    comparisons += count
  }

  private mutating func insert(_ slot: Int, _ row: ResultRow) {
    let key = plan.sectionKey(of: row)
    let place = sections.touch(key)
    let entry = RankEntry(prefix: plan.order.prefix(row.row, row.values), slot: UInt32(slot))
    let (plan, table) = (plan, table)
    var count = 0
    sections.touched[place].rows.insert(entry) { other in
      count += 1
      return plan.comesNoEarlier(table[Int(other)], row)
    }
    comparisons += count
    // The title of a section is that of the newest row: all rows agree on it.
    sections.touched[place].key = key
  }

  /// The sections with what was taken out put back.
  mutating func finish() -> SectionTree { sections.finish() }
}
