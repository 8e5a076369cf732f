internal import EntityStore
internal import ListDiffing

/// A snapshot on its way to the next one.
///
/// A row that is taken out is compared, by what it was, with what the others were. One that is put in is
/// compared with others that are in order as they are compared with.
struct SnapshotEditor {
  let plan: ResultPlan
  let before: ResultTable
  var table: ResultTable
  var sections: SectionsEditor
  /// Where the changed rows were and are.
  var edited: ContiguousArray<EditedRow> = []
  /// Whether all that a row shows contributes to what nodes keep.
  private let keepsCheckSums: Bool
  /// How often two rows have been compared by what they hold.
  var comparisons = 0

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
  mutating func apply(_ changes: ContiguousArray<ResultChange>, _ free: inout FreeSlots) {
    edited.reserveCapacity(changes.count)
    if changes.count == 1 {
      apply(changes[0], &free)
    } else {
      applyAll(changes, &free)
    }
  }

  /// Makes a change that is the only one.
  private mutating func apply(_ change: ResultChange, _ free: inout FreeSlots) {
    var edit = EditedRow(change.id)
    if let slot = change.slot, let old = change.old {
      if let new = change.new, plan.staysInPlace(old, new) {
        table.replace(slot, with: new)
        if contributesDifferently(old, new) { discardSummaries(slot, new) }
        return edited.append(edit)
      }
      edit.old = remove(slot, old)
    }
    switch (change.slot, change.new) {
    case (let slot?, let new?):
      table.replace(slot, with: new)
      edit.new = insert(slot, new)
    case (let slot?, nil):
      table.remove(slot)
      free.giveBack(slot)
    case (nil, let new?):
      let slot = free.take()
      table.insert(new, at: slot)
      edit.new = insert(slot, new)
    case (nil, nil): break
    }
    edited.append(edit)
  }

  /// Whether nodes above a row, which stays where it is, would keep something else for the new version.
  func contributesDifferently(_ old: ResultRow, _ new: ResultRow) -> Bool {
    keepsCheckSums || plan.contributesDifferently(old, new)
  }

  func entry(_ slot: Int, _ row: ResultRow) -> RankEntry {
    RankEntry(prefix: plan.order.prefix(row.row, row.values), slot: UInt32(slot))
  }

  private mutating func remove(_ slot: Int, _ row: ResultRow) -> EditedRow.Place {
    let place = sections.touch(plan.sectionKey(of: row))
    let entry = entry(slot, row)
    let (plan, before) = (plan, before)
    var count = 0
    let rank = sections.touched[place].rows.remove(entry) { other in
      // It comes no earlier than itself.
      if other == entry.slot { return true }
      count += 1
      return plan.comesNoEarlier(before[Int(other)], row)
    }
    comparisons += count
    return EditedRow.Place(section: place, rank: rank)
  }

  private mutating func insert(_ slot: Int, _ row: ResultRow) -> EditedRow.Place {
    let key = plan.sectionKey(of: row)
    let place = sections.touch(key)
    let entry = entry(slot, row)
    let (plan, table) = (plan, table)
    var count = 0
    let rank = sections.touched[place].rows.insert(entry) { other in
      count += 1
      return plan.comesNoEarlier(table[Int(other)], row)
    }
    comparisons += count
    // The title of a section is that of the newest row: all rows agree on it.
    sections.touched[place].key = key
    return EditedRow.Place(section: place, rank: rank)
  }

  /// Makes the nodes above a row, which has stayed where it is, others than those of older snapshots, in
  /// which the row is what it was.
  mutating func discardSummaries(_ slot: Int, _ row: ResultRow) {
    let place = sections.touch(plan.sectionKey(of: row))
    let entry = entry(slot, row)
    let (plan, table) = (plan, table)
    var count = 0
    sections.touched[place].rows.discardSummaries(of: entry) { other in
      if other == entry.slot { return true }
      count += 1
      return plan.comesNoEarlier(table[Int(other)], row)
    }
    comparisons += count
  }

  /// The sections with what was taken out put back.
  mutating func finish() -> SectionTree { sections.finish() }

  /// The changed rows with their paths, once it has finished.
  func touched(before: Int64, after: Int64) -> TouchedObjects {
    var rows: ContiguousArray<PlacedRow> = []
    rows.reserveCapacity(edited.count)
    for row in edited {
      let old = row.old.flatMap { $0.path(in: sections.touched[$0.section].oldPosition) }
      let new = row.new.flatMap { $0.path(in: sections.touched[$0.section].newPosition) }
      if (old == nil && row.old != nil) || (new == nil && row.new != nil) {
        // An order of the app's own contradicts itself, so that a row wasn't found.
        return .some(edited.map { $0.id })
      }
      rows.append(PlacedRow(id: row.id, old: old, new: new))
    }
    return .placed(PlacedRows(before: before, after: after, rows: rows))
  }
}
