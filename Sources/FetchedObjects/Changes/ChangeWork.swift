internal import EntityStore
internal import ListDiffing

/// The changes between two results while they are being computed.
///
/// Candidates are touched one by one, by their paths. Then `result()` decides which of them stay.
struct ChangeWork<Snapshot: WindowedResult> {
  /// A section with touched rows.
  private struct Section {
    let identity: StoredValue
    /// The section's key before and after, if the section has been touched there.
    var oldKey: SectionKey?
    var newKey: SectionKey?
  }

  let before: Snapshot
  let after: Snapshot
  private var sections: [Section] = []
  /// The touched rows, by the positions of their sections in `sections`.
  private var tally = RowTally()
  /// The positions of the touched sections in `sections`, by identity.
  private var places: [StoredValue: Int] = [:]
  /// The entry that was used last, by the section's position: many rows may be in one section.
  private var lastOld = (position: -1, place: -1)
  private var lastNew = (position: -1, place: -1)
  /// True if one of the results has sections.
  let haveSections: Bool

  init(before: Snapshot, after: Snapshot) {
    self.before = before
    self.after = after
    haveSections = !before.plan.sectionOrder.isEmpty || !after.plan.sectionOrder.isEmpty
  }

  /// Reserves memory for `count` candidates that stay in a section.
  mutating func reserveCapacity(_ count: Int) {
    guard !haveSections else { return }
    let only = place(of: SectionKey.only.identity)
    tally.reserveCapacity(count, in: only)
  }

  /// Touches a row with an old and a new path; nil means that it isn't in that result.
  ///
  /// If the row stays in its place, it is an update if `differs` is true.
  mutating func touch(_ oldPath: ListPath?, _ newPath: ListPath?, differs: Bool) {
    let old = oldPath.map { (path: $0, section: oldPlace(ofSection: $0.section)) }
    let new = newPath.map { (path: $0, section: newPlace(ofSection: $0.section)) }
    tally.add(old, new, differs: differs)
  }

  /// Returns the position in `sections` of a section of the result before.
  private mutating func oldPlace(ofSection position: Int) -> Int {
    if lastOld.position == position { return lastOld.place }
    let key = before.key(ofSection: position)
    let place = place(of: key.identity)
    sections[place].oldKey = key
    lastOld = (position, place)
    return place
  }

  /// Returns the position in `sections` of a section of the result after.
  private mutating func newPlace(ofSection position: Int) -> Int {
    if lastNew.position == position { return lastNew.place }
    let key = after.key(ofSection: position)
    let place = place(of: key.identity)
    sections[place].newKey = key
    lastNew = (position, place)
    return place
  }

  private mutating func place(of identity: StoredValue) -> Int {
    if let place = places[identity] { return place }
    places[identity] = sections.count
    sections.append(Section(identity: identity))
    tally.addSection()
    return sections.count - 1
  }

  mutating func result() -> ListChanges {
    if haveSections { touchOnlySections() }
    tally.settleRows()
    var changes = ListChanges(
      deletes: tally.deletes, inserts: tally.inserts, moves: tally.moves, updates: tally.updates)
    if haveSections { changes = withSections(changes) }
    return changes
  }

  /// Touches the only section of a result without sections.
  ///
  /// The section exists even if none of its rows is a candidate.
  private mutating func touchOnlySections() {
    if before.plan.sectionOrder.isEmpty {
      sections[place(of: SectionKey.only.identity)].oldKey = .only
    }
    if after.plan.sectionOrder.isEmpty {
      sections[place(of: SectionKey.only.identity)].newKey = .only
    }
  }

  // MARK: Sections

  /// Adds the changes of the sections.
  ///
  /// If the order of a section has changed, all its rows are candidates. So the keys of the touched
  /// rows give the old and the new position of every touched section.
  private func withSections(_ changes: ListChanges) -> ListChanges {
    let isOneQuery = before.plan === after.plan
    var deleted: [Int] = []
    var inserted: [Int] = []
    var updated: [PositionChange<Int>] = []
    var survivors: [Survivor<Int>] = []
    // The positions of sections that were deleted or inserted, or may move. All others keep their
    // order.
    var oldTouched: [Int] = []
    var newTouched: [Int] = []
    for section in sections {
      // Between two queries, all rows are candidates. So each row has named its own section.
      let oldKey = section.oldKey ?? (isOneQuery ? section.newKey : nil)
      let newKey = section.newKey ?? (isOneQuery ? section.oldKey : nil)
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
          survivors.append(Survivor(old: old, new: new, differs: isRetitled))
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
    var moved: [PositionChange<Int>] = []
    settle(
      survivors, index: { $0 }, oldTouched: oldTouched, newTouched: newTouched, moves: &moved,
      updates: &updated)
    return ListChanges(
      deletedSections: deleted, insertedSections: inserted, movedSections: moved,
      updatedSections: updated, deletes: changes.deletes, inserts: changes.inserts,
      moves: changes.moves, updates: changes.updates)
  }
}

extension StoredValue {
  fileprivate func isText(_ text: String) -> Bool { self == .text(text) }
}
