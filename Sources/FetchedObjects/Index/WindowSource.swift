@_spi(Storage) internal import EntityStore
internal import ListDiffing

/// A window of an index-only result.
///
/// It keeps the rows that it shows, and only the positions of all others (F7).
///
/// The rows are a small result of their own. The index gives the old and new positions of touched
/// rows, and the effect of a commit on the window follows from these. Untouched rows keep their
/// order. So their number in front of the window, before and after the commit, shows which of them
/// cross an edge. Only rows that enter the window are read.
struct WindowSource: Sendable {
  let index: LiveIndex
  let window: ResultWindow
  /// The plan of the rows, with their included values.
  let plan: ResultPlan

  init(_ plan: ResultPlan, _ window: ResultWindow, in store: Store) throws {
    var indexed = plan.query
    indexed.included = []
    indexed.includedComputed = []
    self.plan = plan
    self.window = window
    index = try LiveIndexes.of(store).result(of: indexed, in: store)
  }

  /// Returns the window of a query that its index can keep up to date, or nil if the query has no
  /// window or aggregates fields.
  static func window(of query: QueryDescription) -> ResultWindow? {
    query.aggregated.isEmpty ? ResultWindow(query) : nil
  }

  private func extent(_ positions: Range<Int>, _ totalCount: Int) -> WindowExtent {
    WindowExtent(rowsBefore: positions.lowerBound, totalCount: totalCount)
  }

  // MARK: The whole window

  /// Returns the current window.
  ///
  /// - Complexity: O(*w* log *n*) for *w* rows in the window and *n* in the result. If the index
  ///   doesn't match the storage, or if commits keep arriving during the read, the whole order is
  ///   read, in O(*n* log *n*).
  func fetch(from store: Store) throws -> ResultSnapshot {
    for attempt in 0..<3 where !index.isStale {
      let newest = index.newest
      let merged = store.mergedVersion
      let (found, version) = try store.readFirst { reader -> (ResultSnapshot?, Int64) in
        do {
          if reader.version <= merged {
            return (try snapshot(of: newest, reading: reader), reader.version)
          }
          // A commit of this store will be installed at any moment.
          if attempt == 0 { return (nil, reader.version) }
          let news = try index.news(after: merged, reading: reader)
          let then = news.isNothing ? newest : try index.whole(after: news, reading: reader)
          return (try snapshot(of: then, reading: reader), reader.version)
        } catch is IndexOutOfStep {
          return (nil, reader.version)
        }
      }
      // The rows that were read belong to the index, if it is still the newest after all commits
      // that may have been read.
      index.settle(version)
      if found == nil && version > merged {
        store.waitForPublishing()
      } else if index.newest === newest, !index.isStale {
        if let found { return found }
        index.markBroken()
      }
    }
    return try store.readFirst(fetch)
  }

  /// Returns the window, read with the order of all rows.
  ///
  /// - Complexity: O(*n* log *n*) where *n* is the number of rows in the result.
  func fetch(reading reader: any StorageReader) throws -> ResultSnapshot {
    try snapshot(of: IndexWalk.fetch(index.plan, reader).0, reading: reader)
  }

  /// Returns the window of an index, or throws `IndexOutOfStep` if the reader has another version.
  func snapshot(
    of index: IndexSnapshot, reading reader: any StorageReader
  ) throws -> ResultSnapshot {
    let positions = window.positions(of: index.count)
    let rows = try rows(at: positions, in: index, reading: reader)
    for (row, next) in zip(rows, rows.dropFirst()) where !plan.isBefore(row, next) {
      throw IndexOutOfStep()
    }
    return ResultSnapshot(plan, rows: rows, version: reader.version)
      .placed(at: extent(positions, index.count), version: reader.version)
  }

  /// Returns the rows at some positions; throws `IndexOutOfStep` if one doesn't match its entry.
  private func rows(
    at positions: some Sequence<Int>, in index: IndexSnapshot, reading reader: any StorageReader
  ) throws -> [ResultRow] {
    let paths = positions.map(index.path(ofPosition:))
    if paths.isEmpty { return [] }
    let entries = paths.map { index.sections[$0.section].rows[$0.row] }
    let objects = try reader.numbered().rows(
      of: plan.query.entity, numbered: entries.map { index.numbers[$0.slot] })
    var rows: [ResultRow] = []
    rows.reserveCapacity(objects.count)
    try reader.evaluate(
      plan.expressions, sharing: plan.shared, for: Array(objects.indices), of: { objects[$0] }
    ) { place, reader in
      guard let object = objects[place], let row = try plan.row(object, reading: reader),
        plan.order.prefix(row.row, row.values) == entries[place].prefix,
        plan.compare(plan.sectionKey(of: row), index.key(ofSection: paths[place].section)) == 0
      else { throw IndexOutOfStep() }
      rows.append(row)
    }
    return rows
  }

  // MARK: After a commit

  /// The changes of a window by a commit.
  struct Step {
    var changes: ContiguousArray<ResultChange> = []
    let extent: WindowExtent
  }

  /// Returns the changes of a window by a commit, or nil if there are none.
  ///
  /// The commit's step of the index has its candidates. It is nil if the index doesn't change.
  ///
  /// - Complexity: O((*k* + *c*) log *n*), where *k* is the number of candidates, *c* the number of
  ///   rows that cross an edge of the window and *n* the number of rows, plus the cost of
  ///   ``ResultPlan/includedChanges(by:among:unless:reading:)``.
  func step(
    from shown: ResultSnapshot, _ step: IndexStep?, _ changes: NetChanges,
    reading reader: any StorageReader
  ) throws -> Step? {
    var result = Step(extent: step.map { extent(after: $0) } ?? shown.extent ?? extent(0..<0, 0))
    var touched: Set<StoredValue> = []
    if let step, let candidates = step.candidates {
      try touch(candidates, step, shown, &result, &touched, reading: reader)
    }
    result.changes += try plan.includedChanges(
      by: changes, among: shown, unless: touched.contains, reading: reader)
    return result.changes.isEmpty && result.extent == shown.extent ? nil : result
  }

  private func extent(after step: IndexStep) -> WindowExtent {
    extent(window.positions(of: step.after.count), step.after.count)
  }

  private func touch(
    _ candidates: [IndexCandidate], _ step: IndexStep, _ shown: ResultSnapshot,
    _ result: inout Step, _ touched: inout Set<StoredValue>, reading reader: any StorageReader
  ) throws {
    let isIncluding = !plan.includedReads.isEmpty
    let before = window.positions(of: step.before.count)
    let after = window.positions(of: step.after.count)
    var old: [Int] = []
    var new: [Int] = []
    let newPositions = candidates.map { candidate in
      candidate.new.map { step.after.position(of: $0.path) }
    }
    let entering = zip(candidates, newPositions).compactMap { candidate, position in
      position.map(after.contains) ?? false ? candidate.new?.row.row : nil
    }
    var entered = try plan.resultRows(entering, reading: reader)[...]
    for (candidate, newPosition) in zip(candidates, newPositions) {
      let oldPosition = candidate.old.map { step.before.position(of: $0.path) }
      if let oldPosition { old.append(oldPosition) }
      if let newPosition { new.append(newPosition) }
      var row: ResultRow?
      if let newPosition, after.contains(newPosition) { row = entered.popFirst() }
      let slot = oldPosition.flatMap {
        before.contains($0) ? shown.table.slot(of: candidate.id) : nil
      }
      if isIncluding { touched.insert(candidate.id) }
      let shownRow = slot.flatMap { shown.table[$0] }
      if let change = ResultChange(of: candidate.id, slot: slot, old: shownRow, new: row) {
        result.changes.append(change)
      }
    }
    let crossings = WindowCrossings(from: before, touched: old, to: after, touched: new)
    for position in crossings.leaving {
      let row = shown.row(at: shown.sections.path(ofRow: position - before.lowerBound))
      if isIncluding { touched.insert(row.id) }
      result.changes.append(
        ResultChange(id: row.id, slot: shown.table.slot(of: row.id), old: row, new: nil))
    }
    for row in try rows(at: crossings.entering, in: step.after, reading: reader) {
      if isIncluding { touched.insert(row.id) }
      result.changes.append(ResultChange(id: row.id, slot: nil, old: nil, new: row))
    }
  }
}
