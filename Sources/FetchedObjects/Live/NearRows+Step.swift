@_spi(Storage) internal import EntityStore
internal import ListDiffing

// The effect of a commit on the rows that are kept.
extension NearRows {
  /// The changes of the kept rows by a commit.
  struct Step {
    var changes: ContiguousArray<ResultChange> = []
    /// The position of the kept rows in the result after the commit.
    var extent: WindowExtent
    /// Counts of the changed objects of the query's entity, and of evaluations of the filter.
    var work = ResultWork(commits: 1)
    /// The number of kept rows after the commit.
    var count: Int
    /// The object that the rows are around, or were around before it was deleted.
    var pivot: ResultRow?
    /// The place of that object among the kept rows; nil if it is beyond them.
    var position: Int?
    /// True if a window may show a change.
    var isShown = false
    /// True if neither the kept rows nor their position change.
    var isEmpty = false

    /// The counts that are known if rows have to be read again.
    var counts: Counts {
      Counts(total: extent.totalCount, before: position.map { extent.rowsBefore + $0 })
    }
  }

  /// The first and the last row that are kept, unless there is none before them or after them.
  fileprivate struct Bounds {
    let kept: ResultSnapshot
    private(set) var lower: Bound?
    private(set) var upper: Bound?

    /// A position, and the prefix of its row if there are no sections.
    ///
    /// The prefix alone decides about most rows, so the row itself is seldom read.
    struct Bound {
      let position: Int
      let prefix: UInt64?

      init(_ position: Int, in kept: ResultSnapshot) {
        self.position = position
        prefix = kept.plan.sectionOrder.isEmpty ? kept.sections[0].rows[position].prefix : nil
      }
    }

    init(_ kept: ResultSnapshot, in extent: WindowExtent) {
      self.kept = kept
      if kept.count == 0 { return }
      if extent.rowsBefore > 0 { lower = Bound(0, in: kept) }
      if extent.rowsBefore + kept.count < extent.totalCount {
        upper = Bound(kept.count - 1, in: kept)
      }
    }

    func side(of row: ResultRow) -> Side {
      var prefix: UInt64?
      if lower?.prefix != nil || upper?.prefix != nil {
        prefix = kept.plan.order.prefix(row.row, row.values)
      }
      if let lower {
        if let prefix, let bound = lower.prefix, prefix != bound {
          if prefix < bound { return .before }
        } else if kept.plan.isBefore(row, kept.row(lower.position)) {
          return .before
        }
      }
      if let upper {
        if let prefix, let bound = upper.prefix, prefix != bound {
          if prefix > bound { return .after }
        } else if kept.plan.isBefore(kept.row(upper.position), row) {
          return .after
        }
      }
      return .kept
    }
  }

  fileprivate enum Side { case before, kept, after }

  /// Returns the changes of the kept rows by a commit.
  ///
  /// The window is the one that stays around a row, if one does. `reserve` is the number of rows to
  /// keep on each side, if there are more than twice as many.
  ///
  /// - Complexity: O(*k*) comparisons for *k* changed objects of the query's entity, and O(log *m*)
  ///   for *m* kept rows. If other objects have changed whose values are included, also the cost of
  ///   ``ResultPlan/includedChanges(by:among:unless:reading:)``. If rows are dropped,
  ///   O((*k* + *m*) log (*k* + *m*)) comparisons.
  func step(
    from kept: ResultSnapshot, _ window: ResultWindow?, _ changes: NetChanges, reserve: Int,
    reading reader: any StorageReader
  ) throws -> Step {
    let extent = kept.extent ?? WindowExtent(rowsBefore: 0, totalCount: kept.count)
    let bounds = Bounds(kept, in: extent)
    let most = most(for: window, reserve)
    var step = Step(extent: extent, count: kept.count)

    let candidates = changes[plan.query.entity]?.all ?? []
    step.work.candidates = candidates.count
    for change in candidates {
      let slot = kept.table.slot(of: change.id)
      let old = slot.flatMap { kept.table[$0] }
      if let old {
        _ = step.add(-1, old, bounds)
      } else if let object = change.old, try belongs(object, &step, reader) {
        _ = step.add(-1, ResultRow(row: object, values: nil), bounds)
      }
      var new: ResultRow?
      if let object = change.new, try belongs(object, &step, reader) {
        let row = ResultRow(row: object, values: nil)
        if step.add(1, row, bounds) == .kept { new = row }
      }
      step.append(ResultChange(of: change.id, slot: slot, old: old, new: new))
    }
    switch place {
    case .first: step.position = 0
    case .last: step.position = step.count
    case .around:
      if kept.count <= most && step.changes.isEmpty { break }
      try locate(&step, kept, bounds, window, changes, reading: reader)
      // The object has left the kept rows, so others are read.
      if step.pivot != nil && step.position == nil { return step }
    }
    try addIncluded(to: &step, from: kept, changes, reading: reader)
    trim(&step, from: kept, window, reserve)
    if !plan.values.isEmpty { try addValues(to: &step, reading: reader) }
    step.isEmpty = step.changes.isEmpty && step.extent == extent
    step.isShown = !step.isEmpty && isShown(step, kept)
    return step
  }

  /// Finds the object that the rows are around, and its place among the rows that are kept.
  private func locate(
    _ step: inout Step, _ kept: ResultSnapshot, _ bounds: Bounds, _ window: ResultWindow?,
    _ changes: NetChanges, reading reader: any StorageReader
  ) throws {
    guard let pivot = try pivot(kept, window, changes, &step, reading: reader) else { return }
    step.pivot = pivot
    guard bounds.side(of: pivot) == .kept else { return }
    var position = kept.position(of: pivot)
    for change in step.changes {
      if let old = change.old, plan.isBefore(old, pivot) { position -= 1 }
      if let new = change.new, plan.isBefore(new, pivot) { position += 1 }
    }
    step.position = position
  }

  /// Returns true if enough rows are kept after a step.
  func areEnough(_ step: Step, for window: ResultWindow?) -> Bool {
    // Without a place, no row that is kept has come, gone or moved, or the object is beyond them.
    guard let position = step.position else { return step.pivot == nil }
    return needs(window, at: position, of: step.count)
      .areMet(at: position, of: step.count, in: step.extent)
  }

  /// Returns the row that the window stays around, or its last version if it is deleted.
  private func pivot(
    _ kept: ResultSnapshot, _ window: ResultWindow?, _ changes: NetChanges, _ step: inout Step,
    reading reader: any StorageReader
  ) throws -> ResultRow? {
    guard let anchor = window?.anchor else { return nil }
    if let new = changes[plan.query.entity]?[anchor.id]?.new, try belongs(new, &step, reader) {
      return ResultRow(row: new, values: nil)
    }
    return kept.row(anchor.id) ?? anchor.row
  }

  /// Returns true if a window may show a change, and not only the rows of the reserve change.
  private func isShown(_ step: Step, _ kept: ResultSnapshot) -> Bool {
    if step.extent.totalCount != kept.totalCount { return true }
    let isInside: (ResultRow) -> Bool
    switch place {
    case .first(let needed) where kept.count > needed:
      let last = kept.row(needed - 1)
      isInside = { [plan] in !plan.isBefore(last, $0) }
    case .last(let needed) where kept.count > needed:
      let first = kept.row(kept.count - needed)
      isInside = { [plan] in !plan.isBefore($0, first) }
    // A window may move to any of the rows around it, without reading them again.
    default: return true
    }
    return step.changes.contains { $0.old.map(isInside) ?? false || $0.new.map(isInside) ?? false }
  }

  private func belongs(
    _ object: EntityRow, _ step: inout Step, _ reader: any StorageReader
  ) throws -> Bool {
    if !plan.hasFilter { return true }
    step.work.conditions += 1
    return try plan.meetsFilter(object, reading: reader)
  }

  /// Adds the kept rows whose included values have changed.
  private func addIncluded(
    to step: inout Step, from kept: ResultSnapshot, _ changes: NetChanges,
    reading reader: any StorageReader
  ) throws {
    if plan.includedReads.isEmpty { return }
    let table = changes[plan.query.entity]
    let found = try plan.includedChanges(
      by: changes, among: kept, unless: { table?[$0] != nil }, reading: reader)
    for change in found { step.append(change) }
  }

  /// Reads the values of the rows that come, or change, and are kept.
  private func addValues(to step: inout Step, reading reader: any StorageReader) throws {
    let places = step.changes.indices.filter { place in
      step.changes[place].new.map { $0.values == nil } ?? false
    }
    let objects = places.compactMap { step.changes[$0].new?.row }
    for (place, new) in zip(places, try plan.resultRows(objects, reading: reader)) {
      let change = step.changes[place]
      step.changes[place] = ResultChange(
        id: change.id, slot: change.slot, old: change.old, new: new)
    }
  }
}

extension NearRows.Step {
  /// Counts a row that comes or goes, and returns the side of the kept rows on which it is.
  fileprivate mutating func add(
    _ one: Int, _ row: ResultRow, _ bounds: NearRows.Bounds
  ) -> NearRows.Side {
    extent.totalCount += one
    let side = bounds.side(of: row)
    if side == .before { extent.rowsBefore += one }
    return side
  }

  /// Adds and counts a change of a row, unless it is nil.
  mutating func append(_ change: ResultChange?) {
    guard let change else { return }
    if change.old == nil { count += 1 }
    if change.new == nil { count -= 1 }
    changes.append(change)
  }
}
