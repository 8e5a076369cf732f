internal import EntityStore

/// An entry that is inserted into a section.
private struct Arrival {
  let entry: RankEntry
  /// The position of the change.
  let change: Int
  /// The number of the section's old entries before it.
  var before: Int
}

/// The changes of a section, by positions before any of them is made.
private struct SectionBatch {
  /// The old positions of removed entries.
  var removals: [Int] = []
  var arrivals: ContiguousArray<Arrival> = []
}

// Many changes at once: all places are found in the unchanged sections, and each section is changed
// in one sweep.
extension SnapshotEditor {
  /// Makes several changes.
  ///
  /// - Complexity: O(*k* log *n*) for *k* changes.
  mutating func applyAll(_ changes: ContiguousArray<ResultChange>, _ free: inout FreeSlots) {
    var batches: ContiguousArray<SectionBatch> = []
    var stayers: [Int] = []
    table.beginChanges()
    for (index, change) in changes.enumerated() {
      edited.append(EditedRow(change.id))
      var place: RankEntry?
      if let slot = change.slot, let old = change.old {
        let oldPlace = entry(slot, old)
        if let new = change.new {
          let newPlace = entry(slot, new)
          if newPlace == oldPlace, plan.staysTied(old, new) {
            table.replace(slot, with: new)
            if contributesDifferently(old, new) { stayers.append(index) }
            continue
          }
          place = newPlace
        }
        take(oldPlace, old, at: index, &batches)
      }
      switch (change.slot, change.new) {
      case (let slot?, let new?):
        table.replace(slot, with: new)
        put(place ?? entry(slot, new), new, at: index, &batches)
      case (let slot?, nil): table.remove(slot)
      case (nil, let new?):
        let slot = free.take()
        table.insert(new, at: slot)
        put(entry(slot, new), new, at: index, &batches)
      case (nil, nil): break
      }
    }
    table.endChanges()
    for place in batches.indices { finish(&batches[place], of: place, changes) }
    for index in stayers {
      if let slot = changes[index].slot, let new = changes[index].new {
        discardSummaries(entry(slot, new), new)
      }
    }
    for change in changes where change.new == nil { change.slot.map { free.giveBack($0) } }
  }

  /// Records that a row is removed.
  private mutating func take(
    _ entry: RankEntry, _ row: ResultRow, at index: Int,
    _ batches: inout ContiguousArray<SectionBatch>
  ) {
    // The rows of a commit are often of one section.
    let place: Int
    if let last = lastTaken, plan.haveEqualSections(last.row, row) {
      place = last.section
    } else {
      place = sections.touch(plan.sectionKey(of: row))
      while batches.count <= place { batches.append(SectionBatch()) }
      lastTaken = (row, place)
    }
    var count = 0
    let rows = sections.touched[place].rows
    let rank = rows.rank(of: entry.prefix) { other in
      // A row comes no earlier than itself.
      if other == entry.slot { return true }
      count += 1
      return plan.comesNoEarlier(before[Int(other)], row)
    }
    comparisons += count
    let isThere = rank < rows.count && rows[rank] == entry
    if isThere { batches[place].removals.append(rank) }
    edited[index].old = EditedRow.Place(section: place, rank: isThere ? rank : nil)
  }

  /// Records that a row is inserted.
  private mutating func put(
    _ entry: RankEntry, _ row: ResultRow, at index: Int,
    _ batches: inout ContiguousArray<SectionBatch>
  ) {
    let place: Int
    if let last = lastPut, plan.haveEqualSections(last.row, row) {
      place = last.section
    } else {
      let key = plan.sectionKey(of: row)
      place = sections.touch(key)
      while batches.count <= place { batches.append(SectionBatch()) }
      // A section has the title of its newest row; all rows agree on it.
      sections.touched[place].key = key
      lastPut = (row, place)
    }
    var count = 0
    let rank = sections.touched[place].rows.rank(of: entry.prefix) { other in
      count += 1
      return plan.comesNoEarlier(before[Int(other)], row)
    }
    comparisons += count
    batches[place].arrivals.append(Arrival(entry: entry, change: index, before: rank))
    edited[index].new = EditedRow.Place(section: place, rank: nil)
  }

  /// Makes the changes of one section.
  private mutating func finish(
    _ batch: inout SectionBatch, of place: Int, _ changes: ContiguousArray<ResultChange>
  ) {
    if batch.removals.isEmpty && batch.arrivals.isEmpty { return }
    batch.removals.sort()
    var count = 0
    batch.arrivals.sort { a, b in
      if a.before != b.before { return a.before < b.before }
      if a.entry.prefix != b.entry.prefix { return a.entry.prefix < b.entry.prefix }
      count += 1
      return plan.comesEarlier(changes[a.change].new, changes[b.change].new)
    }
    comparisons += count
    var insertions: [RankTree.Insertion] = []
    insertions.reserveCapacity(batch.arrivals.count)
    var removed = 0
    for arrival in batch.arrivals {
      while removed < batch.removals.count, batch.removals[removed] < arrival.before {
        removed += 1
      }
      let rank = arrival.before - removed + insertions.count
      insertions.append((rank: rank, entry: arrival.entry))
      edited[arrival.change].new?.rank = rank
      arrived.append(arrival.change)
    }
    sections.touched[place].rows.update(removing: batch.removals, inserting: insertions)
  }
}
