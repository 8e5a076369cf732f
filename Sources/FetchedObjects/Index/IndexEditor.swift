@_spi(Storage) internal import EntityStore
internal import ListDiffing

/// An editor that makes the next index-only snapshot.
///
/// First it finds and removes all old entries, and reads their ties at the version before. Then it
/// inserts the new entries, and reads their ties at the version after. No row is compared with a
/// row of another version.
struct IndexEditor {
  /// A row that changes.
  private struct Item {
    let change: ResultChange
    let oldPath: ListPath?
    let newNumber: Int64?
    /// True if the row is in the result before and after, at the same position among the others.
    var stays = false
    /// The index of the edit of the section that the row is in after the change.
    var edit = 0
    /// The row's rank in that section, if it doesn't stay.
    var newRank = 0
  }

  /// The changes to the rows of one section.
  private struct Edit {
    var key: SectionKey
    /// The old ranks of the entries to remove.
    var removed: [Int] = []
    /// The indices of the items to insert.
    var arrivals: [Int] = []
  }

  private let before: IndexSnapshot
  private let old: any StorageReader
  private let new: any StorageReader
  private var items: [Item] = []
  private var edits: [Edit] = []
  /// The index of each section's edit, by the values that sections are ordered by.
  private var places: [[StoredValue]: Int] = [:]
  private var numbers: RowNumbers

  private var plan: ResultPlan { before.plan }

  /// Makes the changes.
  ///
  /// `old` reads the version before them, and `new` the version after.
  ///
  /// - Complexity: O(*k* log *n*) for *k* changes, and as many reads, for ties.
  static func step(
    from before: IndexSnapshot, _ changes: [ResultChange], version: Int64,
    _ old: any StorageReader, _ new: any StorageReader, _ free: inout FreeSlots,
    _ work: inout ResultWork
  ) throws -> IndexStep {
    var editor = IndexEditor(before, old, new)
    try editor.find(changes, &work)
    editor.sortOut()
    return try editor.finish(version: version, &free, &work)
  }

  private init(_ before: IndexSnapshot, _ old: any StorageReader, _ new: any StorageReader) {
    self.before = before
    self.old = old
    self.new = new
    numbers = before.numbers
  }

  /// Finds the paths of the rows before the changes, and their numbers after the changes.
  private mutating func find(_ changes: [ResultChange], _ work: inout ResultWork) throws {
    let ties = TieReader(plan, old)
    let ids = changes.compactMap { $0.new == nil ? nil : $0.id }
    let found =
      ids.isEmpty ? [] : try new.numbered().rowNumbers(of: plan.query.entity, ids: ids)
    var newNumbers = found.makeIterator()
    items.reserveCapacity(changes.count)
    for change in changes {
      let oldPath = try change.old.map { try path(of: $0, ties) }
      var number: Int64?
      if change.new != nil {
        number = newNumbers.next() ?? nil
        if number == nil { throw IndexOutOfStep() }
      }
      items.append(Item(change: change, oldPath: oldPath, newNumber: number))
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

  /// Returns the index of a section's edit, and adds the edit if there is none.
  private mutating func edit(_ key: SectionKey) -> Int {
    if plan.sectionOrder.isEmpty && !edits.isEmpty { return 0 }
    if let place = places[key.order] { return place }
    edits.append(Edit(key: key))
    if !plan.sectionOrder.isEmpty { places[key.order] = edits.count - 1 }
    return edits.count - 1
  }

  /// Decides which entries are removed and which are inserted.
  private mutating func sortOut() {
    for index in items.indices {
      guard let old = items[index].change.old, let path = items[index].oldPath else { continue }
      if let new = items[index].change.new, plan.staysInPlace(old, new),
        before.number(at: path) == items[index].newNumber
      {
        items[index].stays = true
      } else {
        let edit = edit(plan.sectionKey(of: old))
        edits[edit].removed.append(path.row)
      }
    }
    for index in items.indices where !items[index].stays {
      guard let new = items[index].change.new else { continue }
      let key = plan.sectionKey(of: new)
      let edit = edit(key)
      edits[edit].arrivals.append(index)
      // The newest row gives the title of a section. All rows agree on it.
      edits[edit].key = key
      items[index].edit = edit
    }
  }

  private mutating func finish(
    version: Int64, _ free: inout FreeSlots, _ work: inout ResultWork
  ) throws -> IndexStep {
    for item in items where !item.stays {
      guard let path = item.oldPath else { continue }
      numbers.remove(before.sections[path.section].rows[path.row].slot, &free)
    }
    var known: [(Int64, ResultRow)] = []
    for item in items {
      if let number = item.newNumber, let row = item.change.new { known.append((number, row)) }
    }
    let ties = TieReader(plan, new, known: known)
    var after = before.sections
    if !edits.isEmpty {
      var sections = SectionsEditor(before.sections, of: plan)
      for edit in edits.indices { try change(edit, &sections, ties, &free) }
      after = sections.finish()
    }
    work.comparisons += ties.comparisons
    let snapshot = IndexSnapshot(plan, version: version, sections: after, numbers: numbers)
    return IndexStep(from: before, to: snapshot, candidates: try candidates(snapshot))
  }

  /// Changes the entries of one section.
  private mutating func change(
    _ index: Int, _ sections: inout SectionsEditor, _ ties: TieReader, _ free: inout FreeSlots
  ) throws {
    edits[index].removed.sort()
    let place = sections.touch(edits[index].key)
    let removed = edits[index].removed
    if removed.count == 1 {
      _ = sections.touched[place].rows.remove(at: removed[0])
    } else if !removed.isEmpty {
      sections.touched[place].rows.update(removing: removed, inserting: [])
    }
    let plan = plan
    // The items themselves must not be held while one of them is changed, or all would be copied.
    var arrivals = edits[index].arrivals.compactMap { arrival in
      items[arrival].newNumber.flatMap { number in
        items[arrival].change.new.map { (index: arrival, number: number, row: $0) }
      }
    }
    arrivals.sort { plan.order.compare($0.row.row, $0.row.values, $1.row.row, $1.row.values) < 0 }
    for (arrival, number, row) in arrivals {
      let entry = RankEntry(
        prefix: plan.order.prefix(row.row, row.values), slot: numbers.insert(number, &free))
      let numbers = numbers
      // The rows are inserted in order, so none moves a row that was inserted before.
      items[arrival].newRank = try sections.touched[place].rows.insert(entry) {
        try ties.comesNoEarlier(numbers[$0], row)
      }
    }
    edits[index].arrivals = arrivals.map(\.index)
  }

  /// Returns the changes with their paths.
  private func candidates(_ after: IndexSnapshot) throws -> [IndexCandidate] {
    let hasStayers = !edits.isEmpty && items.contains(where: \.stays)
    let moved = hasStayers ? edits.map(moves) : []
    return try items.map { item in
      let old = item.oldPath.flatMap { path in
        item.change.old.map { IndexCandidate.Place(path: path, row: $0) }
      }
      var new: IndexCandidate.Place?
      if let row = item.change.new {
        new = .init(path: try newPath(of: item, row, in: after, moved), row: row)
      }
      return IndexCandidate(id: item.change.id, old: old, new: new)
    }
  }

  /// The removed and inserted rows of a section.
  private typealias Moves = (removed: SortedPositions, inserted: SortedPositions)

  private func moves(_ edit: Edit) -> Moves {
    (SortedPositions(edit.removed), SortedPositions(edit.arrivals.map { items[$0].newRank }))
  }

  private func newPath(
    of item: Item, _ row: ResultRow, in after: IndexSnapshot, _ moved: [Moves]
  ) throws -> ListPath {
    let key = plan.sectionKey(of: row)
    guard let section = after.section(key) else { throw IndexOutOfStep() }
    if !item.stays { return ListPath(section: section, row: item.newRank) }
    guard let old = item.oldPath?.row else { throw IndexOutOfStep() }
    let place = plan.sectionOrder.isEmpty ? moved.indices.first : places[key.order]
    guard let place else { return ListPath(section: section, row: old) }
    let others = moved[place].removed.others(before: old)
    return ListPath(section: section, row: moved[place].inserted.position(ofOther: others))
  }
}
