internal import EntityStore
internal import ListDiffing

/// An index-only snapshot on its way to the next one.
///
/// First all old entries are found and taken out, their ties read in the version before; then the new
/// ones are put in, their ties read in the version after. In between no row is compared with one of
/// another version.
struct IndexEditor {
  /// What happens to the rows of one section.
  private struct Edit {
    var key: SectionKey
    /// The ranks, before, of entries that go.
    var removed: [Int] = []
    /// The places in `changes` of rows that come.
    var arrivals: [Int] = []
    /// The ranks, after, that they have.
    var inserted: [Int] = []
  }

  private let before: IndexSnapshot
  private let changes: [ResultPlan.Change]
  private let old: any StorageReader
  private let new: any StorageReader
  private var edits: [[StoredValue]: Edit] = [:]
  private var numbers: RowNumbers
  private var oldPaths: [ListPath?] = []
  private var newNumbers: [Int64?] = []
  private var newRanks: [Int?]
  /// Those that are in the result before and after, at the same place among the others.
  private var stayers: Set<Int> = []

  private var plan: ResultPlan { before.plan }

  /// Makes the changes, which the two readers show the versions before and after of.
  ///
  /// - Complexity: O(*k* log *n*) for *k* changes, and so many reads, of ties.
  static func step(
    from before: IndexSnapshot, _ changes: [ResultPlan.Change], version: Int64,
    _ old: any StorageReader, _ new: any StorageReader, _ free: inout FreeSlots,
    _ work: inout ResultWork
  ) throws -> IndexStep {
    var editor = IndexEditor(before, changes, old, new)
    try editor.findOld(&work)
    editor.sortOut()
    return try editor.finish(version: version, &free, &work)
  }

  private init(
    _ before: IndexSnapshot, _ changes: [ResultPlan.Change], _ old: any StorageReader,
    _ new: any StorageReader
  ) {
    self.before = before
    self.changes = changes
    self.old = old
    self.new = new
    numbers = before.numbers
    newRanks = Array(repeating: nil, count: changes.count)
  }

  /// Finds where the rows are before, and under which numbers they are after.
  private mutating func findOld(_ work: inout ResultWork) throws {
    let ties = TieReader(plan, old)
    for change in changes {
      oldPaths.append(try change.old.map { try path(of: $0, ties) })
      newNumbers.append(
        try change.new.map { _ in
          guard let number = try new.rowNumber(of: plan.query.entity, id: change.id) else {
            throw IndexOutOfStep()
          }
          return number
        })
    }
    work.changes += changes.count
    work.comparisons += ties.comparisons
  }

  private func path(of row: ResultRow, _ ties: TieReader) throws -> ListPath {
    guard let path = try before.path(of: row, ties), before.contains(path),
      before.sections[path.section].rows[path.row].prefix
        == plan.order.prefix(row.row, row.values)
    else { throw IndexOutOfStep() }
    return path
  }

  /// Decides which entries go and come.
  private mutating func sortOut() {
    for (index, change) in changes.enumerated() {
      if let old = change.old, let new = change.new, let path = oldPaths[index],
        plan.staysInPlace(old, new), before.number(at: path) == newNumbers[index]
      {
        stayers.insert(index)
        continue
      }
      if let old = change.old, let path = oldPaths[index] {
        let key = plan.sectionKey(of: old)
        edits[key.order, default: Edit(key: key)].removed.append(path.row)
      }
    }
    for (index, change) in changes.enumerated() where !stayers.contains(index) {
      guard let new = change.new else { continue }
      let key = plan.sectionKey(of: new)
      edits[key.order, default: Edit(key: key)].arrivals.append(index)
      // The title of a section is that of the newest row: all rows agree on it.
      edits[key.order]?.key = key
    }
  }

  private mutating func finish(
    version: Int64, _ free: inout FreeSlots, _ work: inout ResultWork
  ) throws -> IndexStep {
    for (index, path) in oldPaths.enumerated() where !stayers.contains(index) {
      guard let path else { continue }
      numbers.remove(before.sections[path.section].rows[path.row].slot, &free)
    }
    var entries: [Int: RankEntry] = [:]
    var known: [Int64: ResultRow] = [:]
    for (index, number) in newNumbers.enumerated() {
      guard let number, let row = changes[index].new else { continue }
      known[number] = row
      if stayers.contains(index) { continue }
      entries[index] = RankEntry(
        prefix: plan.order.prefix(row.row, row.values), slot: numbers.insert(number, &free))
    }
    let ties = TieReader(plan, new, known: known)
    var sections = SectionsEditor(before.sections, of: plan)
    for order in edits.keys { try change(order, &sections, entries, ties) }
    work.comparisons += ties.comparisons
    let after = IndexSnapshot(
      plan, version: version, sections: sections.finish(), numbers: numbers)
    return IndexStep(from: before, to: after, candidates: try candidates(after))
  }

  /// Changes the entries of one section.
  private mutating func change(
    _ order: [StoredValue], _ sections: inout SectionsEditor, _ entries: [Int: RankEntry],
    _ ties: TieReader
  ) throws {
    guard var edit = edits[order] else { return }
    let place = sections.touch(edit.key)
    sections.touched[place].rows.update(removing: edit.removed.sorted(), inserting: [])
    let arrivals = edit.arrivals.compactMap { index in
      changes[index].new.map { (index: index, row: $0) }
    }.sorted { a, b in
      plan.order.compare(a.row.row, a.row.values, b.row.row, b.row.values) < 0
    }
    let numbers = numbers
    for (index, row) in arrivals {
      guard let entry = entries[index] else { continue }
      // They come in order, so that none moves one that is here already.
      let rank = try sections.touched[place].rows.insert(entry) {
        try ties.comesNoEarlier(numbers[$0], row)
      }
      newRanks[index] = rank
      edit.inserted.append(rank)
    }
    edits[order] = edit
  }

  /// The changes with their paths.
  private func candidates(_ after: IndexSnapshot) throws -> [StoredValue: IndexCandidate] {
    let moved = edits.mapValues { (TouchedPositions($0.removed), TouchedPositions($0.inserted)) }
    var candidates: [StoredValue: IndexCandidate] = [:]
    for (index, change) in changes.enumerated() {
      var new: IndexCandidate.Place?
      if let row = change.new {
        let key = plan.sectionKey(of: row)
        guard let section = after.section(key) else { throw IndexOutOfStep() }
        var rank = newRanks[index]
        if rank == nil, let old = oldPaths[index]?.row {
          rank = moved[key.order].map { $1.position(ofOther: $0.others(before: old)) } ?? old
        }
        guard let rank else { throw IndexOutOfStep() }
        new = .init(path: ListPath(section: section, row: rank), row: row)
      }
      let old = zip(oldPaths[index], change.old).map { IndexCandidate.Place(path: $0, row: $1) }
      candidates[change.id] = IndexCandidate(old: old, new: new)
    }
    return candidates
  }
}

/// Both values, if there are both.
private func zip<A, B>(_ a: A?, _ b: B?) -> (A, B)? {
  if let a, let b { (a, b) } else { nil }
}
