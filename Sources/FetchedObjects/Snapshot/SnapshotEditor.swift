internal import EntityStore

/// An editor that makes the next snapshot from a snapshot.
///
/// A removed row is compared in its old version, with the old versions of the others. An inserted
/// row is compared with versions of the others that are in order.
struct SnapshotEditor {
  let plan: ResultPlan
  let before: ResultTable
  var table: ResultTable
  var sections: SectionsEditor
  /// The changed rows, with their old and new positions.
  var edited: ContiguousArray<EditedRow> = []
  /// The numbers of the rows that came or moved, in the order of their new positions, if there are
  /// several changes.
  var arrived: ContiguousArray<Int> = []
  /// The last rows that were removed and inserted, if there are several changes, and the positions
  /// of their sections in `sections.touched`.
  var lastTaken: (row: ResultRow, section: Int)?
  var lastPut: (row: ResultRow, section: Int)?
  /// True if everything that a row shows contributes to the data that nodes keep.
  private let keepsCheckSums: Bool
  /// The number of times that two rows have been compared by their contents.
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
    var place: RankEntry?
    if let slot = change.slot, let old = change.old {
      let oldPlace = entry(slot, old)
      if let new = change.new {
        let newPlace = entry(slot, new)
        if newPlace == oldPlace, plan.staysTied(old, new) {
          table.replace(slot, with: new)
          if contributesDifferently(old, new) { discardSummaries(newPlace, new) }
          return edited.append(edit)
        }
        place = newPlace
      }
      edit.old = remove(oldPlace, old)
    }
    switch (change.slot, change.new) {
    case (let slot?, let new?):
      table.replace(slot, with: new)
      edit.new = insert(place ?? entry(slot, new), new)
    case (let slot?, nil):
      table.remove(slot)
      free.giveBack(slot)
    case (nil, let new?):
      let slot = free.take()
      table.insert(new, at: slot)
      edit.new = insert(entry(slot, new), new)
    case (nil, nil): break
    }
    edited.append(edit)
  }

  /// Returns true if the nodes above a row that doesn't move keep other data for its new version.
  func contributesDifferently(_ old: ResultRow, _ new: ResultRow) -> Bool {
    keepsCheckSums || plan.contributesDifferently(old, new)
  }

  func entry(_ slot: Int, _ row: ResultRow) -> RankEntry {
    RankEntry(prefix: plan.order.prefix(row.row, row.values), slot: UInt32(slot))
  }

  private mutating func remove(_ entry: RankEntry, _ row: ResultRow) -> EditedRow.Place {
    let place = sections.touch(plan.sectionKey(of: row))
    let (plan, before) = (plan, before)
    var count = 0
    let rank = sections.touched[place].rows.remove(entry) { other in
      // A row comes no earlier than itself.
      if other == entry.slot { return true }
      count += 1
      return plan.comesNoEarlier(before[Int(other)], row)
    }
    comparisons += count
    return EditedRow.Place(section: place, rank: rank)
  }

  private mutating func insert(_ entry: RankEntry, _ row: ResultRow) -> EditedRow.Place {
    let key = plan.sectionKey(of: row)
    let place = sections.touch(key)
    let (plan, table) = (plan, table)
    var count = 0
    let rank = sections.touched[place].rows.insert(entry) { other in
      count += 1
      return plan.comesNoEarlier(table[Int(other)], row)
    }
    comparisons += count
    // A section has the title of its newest row; all rows agree on it.
    sections.touched[place].key = key
    return EditedRow.Place(section: place, rank: rank)
  }

  /// Replaces the nodes above a row that has changed without moving.
  ///
  /// Older snapshots keep their nodes, below which the row has its old version.
  mutating func discardSummaries(_ entry: RankEntry, _ row: ResultRow) {
    let place = sections.touch(plan.sectionKey(of: row))
    let (plan, table) = (plan, table)
    var count = 0
    sections.touched[place].rows.discardSummaries(of: entry) { other in
      if other == entry.slot { return true }
      count += 1
      return plan.comesNoEarlier(table[Int(other)], row)
    }
    comparisons += count
  }

  /// Puts back the sections that were taken out, and returns all sections.
  mutating func finish() -> SectionTree { sections.finish() }

  /// Returns the changed rows with their paths, once the editor has finished.
  func touched(before: Int64, after: Int64) -> TouchedObjects {
    var rows: ContiguousArray<PlacedRow> = []
    rows.reserveCapacity(edited.count)
    var areFound = true
    func add(_ row: EditedRow) {
      let old = row.old.flatMap { $0.path(in: sections.touched[$0.section].oldPosition) }
      let new = row.new.flatMap { $0.path(in: sections.touched[$0.section].newPosition) }
      if (old == nil && row.old != nil) || (new == nil && row.new != nil) { areFound = false }
      rows.append(PlacedRow(id: row.id, old: old, new: new))
    }
    // The changes of a list are made in the order of new positions; nothing is to be sorted then.
    for number in arrived { add(edited[number]) }
    for row in edited where arrived.isEmpty || row.new == nil { add(row) }
    // A custom order contradicts itself if a row isn't found.
    if !areFound { return .some(edited.map { $0.id }) }
    return .placed(PlacedRows(before: before, after: after, rows: rows))
  }
}
