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
    return sectionTally.changes(with: tally)
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

  /// The touched sections, with their positions.
  ///
  /// If the order of a section has changed, all its rows are candidates. So the keys of the touched
  /// rows give the old and the new position of every touched section.
  private var sectionTally: SectionTally {
    var sectionTally = SectionTally()
    if !haveSections { return sectionTally }
    let isOneQuery = before.plan === after.plan
    for section in sections {
      // Between two queries, all rows are candidates. So each row has named its own section.
      let oldKey = section.oldKey ?? (isOneQuery ? section.newKey : nil)
      let newKey = section.newKey ?? (isOneQuery ? section.oldKey : nil)
      let old = oldKey.flatMap { before.section($0) }
      let new = newKey.flatMap { after.section($0) }
      sectionTally.add(
        old.map { (position: $0, key: before.key(ofSection: $0)) },
        new.map { (position: $0, key: after.key(ofSection: $0)) }, mayMove: !isOneQuery)
    }
    return sectionTally
  }
}
