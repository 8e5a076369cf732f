internal import EntityStore
internal import ListDiffing

/// A result whose sections are found by position and by key.
protocol SectionedResult: Sendable {
  var plan: ResultPlan { get }
  /// The key of the section at a position.
  func key(ofSection section: Int) -> SectionKey
  /// The position of the section with a key, if it is here.
  func section(_ key: SectionKey) -> Int?
}

/// The changes between two results while they are being found: candidates are touched one by one, by their
/// paths, and then it is decided which of them stay.
struct ChangeWork<Snapshot: SectionedResult> {
  /// A row that is in both results, in one section.
  struct Survivor {
    let oldPath: ListPath
    let newPath: ListPath
    /// Whether it is an update if it stays.
    let differs: Bool
  }

  /// The touched rows of one section, by its identity.
  struct Section {
    var survivors: [Survivor] = []
    /// The positions of touched rows: before, and after.
    var oldRows: [Int] = []
    var newRows: [Int] = []

    /// Touches a row that is in no other section.
    mutating func touch(
      _ oldPath: ListPath?, _ newPath: ListPath?, differs: Bool, _ deletes: inout [ListPath],
      _ inserts: inout [ListPath]
    ) {
      if let oldPath { oldRows.append(oldPath.row) }
      if let newPath { newRows.append(newPath.row) }
      switch (oldPath, newPath) {
      case (let oldPath?, let newPath?):
        survivors.append(Survivor(oldPath: oldPath, newPath: newPath, differs: differs))
      case (let oldPath?, nil): deletes.append(oldPath)
      case (nil, let newPath?): inserts.append(newPath)
      case (nil, nil): break
      }
    }
  }

  let before: Snapshot
  let after: Snapshot
  var deletes: [ListPath] = []
  var inserts: [ListPath] = []
  var moves: [PositionChange<ListPath>] = []
  var updates: [PositionChange<ListPath>] = []
  /// The touched rows of the one section of two results without sections.
  private var only = Section()
  /// Whether one of the results has sections.
  let haveSections: Bool
  var sections: [StoredValue: Section] = [:]
  /// The keys of touched sections: before, and after.
  var oldKeys: [StoredValue: SectionKey] = [:]
  var newKeys: [StoredValue: SectionKey] = [:]

  init(before: Snapshot, after: Snapshot) {
    self.before = before
    self.after = after
    haveSections = !before.plan.sectionOrder.isEmpty || !after.plan.sectionOrder.isEmpty
  }

  /// Makes room for so many candidates that stay in a section.
  mutating func reserveCapacity(_ count: Int) {
    guard !haveSections else { return }
    only.survivors.reserveCapacity(count)
    only.oldRows.reserveCapacity(count)
    only.newRows.reserveCapacity(count)
  }

  /// Touches a row that was at one path and is at another; nil is not in the result.
  ///
  /// If it stays, it is an update where it `differs`.
  mutating func touch(_ oldPath: ListPath?, _ newPath: ListPath?, differs: Bool) {
    if !haveSections { return only.touch(oldPath, newPath, differs: differs, &deletes, &inserts) }
    let oldKey = oldPath.map { before.key(ofSection: $0.section) }
    let newKey = newPath.map { after.key(ofSection: $0.section) }
    if let oldKey, let oldPath {
      oldKeys[oldKey.identity] = oldKey
      sections[oldKey.identity, default: Section()].oldRows.append(oldPath.row)
    }
    if let newKey, let newPath {
      newKeys[newKey.identity] = newKey
      sections[newKey.identity, default: Section()].newRows.append(newPath.row)
    }
    switch (oldPath, newPath) {
    case (let oldPath?, let newPath?):
      if let identity = newKey?.identity, identity == oldKey?.identity {
        sections[identity, default: Section()].survivors.append(
          Survivor(oldPath: oldPath, newPath: newPath, differs: differs))
      } else {
        moves.append(PositionChange(old: oldPath, new: newPath))
      }
    case (let oldPath?, nil): deletes.append(oldPath)
    case (nil, let newPath?): inserts.append(newPath)
    case (nil, nil): break
    }
  }

  mutating func result() -> ListChanges {
    if haveSections { touchOnlySections() } else { settle(only) }
    for section in sections.values { settle(section) }
    var changes = ListChanges(deletes: deletes, inserts: inserts, moves: moves, updates: updates)
    if haveSections { changes = withSections(changes) }
    return changes
  }

  /// The one section of a result without sections is there even if no row of it is a candidate.
  private mutating func touchOnlySections() {
    for result in [before, after] where result.plan.sectionOrder.isEmpty {
      sections[SectionKey.only.identity, default: Section()].oldRows += []
    }
    if before.plan.sectionOrder.isEmpty { oldKeys[SectionKey.only.identity] = .only }
    if after.plan.sectionOrder.isEmpty { newKeys[SectionKey.only.identity] = .only }
  }

  /// Decides which survivors of a section stay.
  private mutating func settle(_ section: Section) {
    let oldRows = section.oldRows.sorted()
    let newRows = section.newRows.sorted()
    // All are in one section.
    let survivors = section.survivors.sorted { $0.newPath.row < $1.newPath.row }
    let stays = staying(
      survivors.map { ($0.oldPath.row, $0.newPath.row) }, oldTouched: oldRows, newTouched: newRows)
    for (index, survivor) in survivors.enumerated() {
      let change = PositionChange(old: survivor.oldPath, new: survivor.newPath)
      if !stays[index] {
        moves.append(change)
      } else if survivor.differs {
        updates.append(change)
      }
    }
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
    let stays = staying(
      survivors.map { ($0.old, $0.new) }, oldTouched: oldTouched, newTouched: newTouched)
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
