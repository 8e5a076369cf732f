internal import EntityStore
internal import ListDiffing

/// Where a window stands in its result.
struct WindowExtent: Sendable, Equatable {
  /// How many rows of the result stand before it.
  let rowsBefore: Int
  /// How many rows the result has.
  let totalCount: Int
}

/// A window of an index-only result: it keeps the rows that it shows, and of all others their place (F7).
///
/// The rows are a small result of their own. What a commit does to it follows from where the index says
/// that touched rows were and are: untouched ones keep their order, so how many of them stand before the
/// window, before and after, tells which of them cross an edge. Only rows that come into the window are
/// read.
struct WindowSource: Sendable {
  let index: LiveIndex
  let window: ResultWindow
  /// The plan of the rows, with what comes with them.
  let plan: ResultPlan

  /// - Throws: what fetching the index throws.
  init(_ query: QueryDescription, _ window: ResultWindow, in store: Store) throws {
    var indexed = query.unlimited
    indexed.included = []
    self.window = window
    index = try LiveIndexes.of(store).result(of: indexed, in: store)
    plan = index.windowPlan(query.unlimited)
  }

  /// What of a query can be kept up to date by its index; nil if it isn't a window, or its sums are asked for.
  static func window(of query: QueryDescription) -> ResultWindow? {
    query.aggregated.isEmpty ? ResultWindow(query) : nil
  }

  private func extent(_ positions: Range<Int>, _ totalCount: Int) -> WindowExtent {
    WindowExtent(rowsBefore: positions.lowerBound, totalCount: totalCount)
  }

  // MARK: The whole window

  /// The window as it can be read now.
  ///
  /// - Complexity: O(*w* log *n*) for *w* rows in the window and *n* in the result, unless a commit that
  ///   couldn't be read has to be made up for.
  func fetch(from store: Store) throws -> ResultSnapshot {
    while true {
      let newest = index.newest
      let isStale = index.isStale
      let read = try store.readStorage { reader -> (ResultSnapshot?, Int64) in
        if isStale {
          let (whole, _) = try IndexWalk.fetch(index.plan, reader)
          return (try snapshot(of: whole, reading: reader, version: reader.version), reader.version)
        }
        do {
          let snapshot = try snapshot(of: newest, reading: reader, version: reader.version)
          return (snapshot, reader.version)
        } catch is IndexOutOfStep {
          return (nil, reader.version)
        }
      }
      if isStale, let snapshot = read.0 { return snapshot }
      // What was read belongs to the index if the index is still that after all commits that may have been
      // read.
      index.settle(read.1)
      if let snapshot = read.0, index.newest === newest, !index.isStale { return snapshot }
    }
  }

  /// The window of an index in the same version as the reader.
  ///
  /// - Throws: `IndexOutOfStep` if it isn't.
  func snapshot(
    of index: IndexSnapshot, reading reader: any StorageReader, version: Int64
  ) throws -> ResultSnapshot {
    let positions = window.positions(of: index.count)
    let rows = try rows(at: positions, in: index, reading: reader)
    return ResultSnapshot(plan, rows: rows, version: version)
      .placed(at: extent(positions, index.count), version: version)
  }

  private func rows(
    at positions: some Sequence<Int>, in index: IndexSnapshot, reading reader: any StorageReader
  ) throws -> [ResultRow] {
    let numbers = positions.map { index.number(at: index.path(ofPosition: $0)) }
    if numbers.isEmpty { return [] }
    return try reader.rows(of: plan.query.entity, numbered: numbers).map { object in
      guard let object else { throw IndexOutOfStep() }
      return try plan.resultRow(object, reading: reader)
    }
  }

  // MARK: After a commit

  /// What a commit changes in a window.
  struct Step {
    var changes: [ResultChange] = []
    let extent: WindowExtent
  }

  /// What a commit changes in a window, or nil if nothing.
  ///
  /// - Parameters:
  ///   - shown: the window before the commit.
  ///   - step: what the commit does to the index, with its candidates; nil if nothing.
  ///   - changes: what it changes in the store.
  ///   - reader: shows the version of the commit.
  /// - Returns: the changes of its rows, and where it stands then.
  /// - Throws: what reading throws.
  /// - Complexity: O((*k* + *c*) log *n*), where *k* is the number of candidates, *c* of rows that cross an edge of
  ///   the window and *n* of rows; and a look at each object that what is included concerns.
  func step(
    from shown: ResultSnapshot, _ step: IndexStep?, _ changes: NetChanges,
    reading reader: any StorageReader
  ) throws -> Step? {
    var result = Step(extent: step.map { extent(after: $0) } ?? shown.extent ?? extent(0..<0, 0))
    var touched: Set<StoredValue> = []
    if let step, let candidates = step.candidates {
      try touch(candidates, step, shown, &result, &touched, reading: reader)
    }
    for read in plan.includedReads {
      for id in try read.concerned(by: changes, reading: reader)
      where touched.insert(id).inserted {
        guard let slot = shown.table.slot(of: id), let old = shown.table[slot] else { continue }
        let new = try plan.resultRow(old.row, reading: reader)
        if new.differs(from: old) {
          result.changes.append(ResultChange(id: id, slot: slot, old: old, new: new))
        }
      }
    }
    return result.changes.isEmpty && result.extent == shown.extent ? nil : result
  }

  private func extent(after step: IndexStep) -> WindowExtent {
    extent(window.positions(of: step.after.count), step.after.count)
  }

  private func touch(
    _ candidates: [StoredValue: IndexCandidate], _ step: IndexStep, _ shown: ResultSnapshot,
    _ result: inout Step, _ touched: inout Set<StoredValue>, reading reader: any StorageReader
  ) throws {
    let before = window.positions(of: step.before.count)
    let after = window.positions(of: step.after.count)
    var old: [Int] = []
    var new: [Int] = []
    for (id, candidate) in candidates {
      let oldPosition = candidate.old.map { step.before.position(of: $0.path) }
      let newPosition = candidate.new.map { step.after.position(of: $0.path) }
      if let oldPosition { old.append(oldPosition) }
      if let newPosition { new.append(newPosition) }
      var row: ResultRow?
      if let newPosition, after.contains(newPosition), let object = candidate.new?.row.row {
        row = try plan.resultRow(object, reading: reader)
      }
      let slot = oldPosition.flatMap { before.contains($0) ? shown.table.slot(of: id) : nil }
      let change = ResultChange(id: id, slot: slot, old: slot.flatMap { shown.table[$0] }, new: row)
      touched.insert(id)
      switch (change.old, change.new) {
      case (nil, nil): continue
      case (let old?, let new?) where !new.differs(from: old): continue
      default: result.changes.append(change)
      }
    }
    // The untouched rows that are shown, by how many other untouched ones stand before them.
    let (oldTouched, newTouched) = (TouchedPositions(old), TouchedPositions(new))
    let was =
      oldTouched.others(before: before.lowerBound)..<oldTouched.others(before: before.upperBound)
    let shownNow =
      newTouched.others(before: after.lowerBound)..<newTouched.others(before: after.upperBound)
    for rank in was.without(shownNow) {
      let position = oldTouched.position(ofOther: rank) - before.lowerBound
      let place = shown.sections.section(holdingRow: position)
      let row = shown.row(at: ListPath(section: place.section, row: place.row))
      touched.insert(row.id)
      result.changes.append(
        ResultChange(id: row.id, slot: shown.table.slot(of: row.id), old: row, new: nil))
    }
    let entering = shownNow.without(was).map(newTouched.position(ofOther:))
    for row in try rows(at: entering, in: step.after, reading: reader) {
      touched.insert(row.id)
      result.changes.append(ResultChange(id: row.id, slot: nil, old: nil, new: row))
    }
  }
}

extension Range<Int> {
  /// The numbers that are here and not in another range, ascending.
  fileprivate func without(_ other: Range<Int>) -> [Int] {
    if other.isEmpty { return Array(self) }
    return Array(lowerBound..<Swift.max(lowerBound, Swift.min(upperBound, other.lowerBound)))
      + Array(Swift.min(upperBound, Swift.max(lowerBound, other.upperBound))..<upperBound)
  }
}
