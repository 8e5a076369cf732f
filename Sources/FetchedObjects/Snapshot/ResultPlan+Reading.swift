@_spi(Storage) internal import EntityStore

extension ResultPlan {
  /// Returns the delta of a commit for this query: the row, or nil, of each object that it may
  /// concern.
  ///
  /// `kept` is the result before the commit, if it is known.
  ///
  /// - Complexity: O(*k*) reads, where *k* is the number of objects concerned. If the result is
  ///   known and has at most 2,048 rows, objects outside it aren't concerned by values that only
  ///   come with rows.
  func delta(
    of changes: NetChanges, to kept: ResultSnapshot? = nil, at time: PinnedTime? = nil,
    reading reader: any StorageReader
  ) throws -> ResultDelta {
    var delta = ResultDelta()
    let table = changes[query.entity]
    let evaluation = evaluation(at: time)
    if let table { delta.reserveCapacity(table.all.count) }
    guard let memo = reader.remembering(shared) else {
      for change in table?.all ?? [] {
        try add(change.id, change.new, evaluation, to: &delta, reading: reader)
      }
      let dependents = try dependents(of: changes, to: kept, reading: reader)
      delta.reserveCapacity(delta.rows.count + dependents.count)
      for (id, object) in dependents {
        try add(id, object, evaluation, to: &delta, reading: reader)
      }
      return delta
    }
    var objects: [Object] = table?.all.map { (id: $0.id, object: $0.new) } ?? []
    objects += try dependents(of: changes, to: kept, reading: memo)
    try add(objects, evaluation, to: &delta, reading: memo)
    return delta
  }

  /// An object that changes may concern, or nil if it doesn't exist any more.
  typealias Object = (id: StoredValue, object: EntityRow?)

  /// Adds objects, and reads together what is read of others for them.
  private func add(
    _ objects: [Object], _ evaluation: RowEvaluation, to delta: inout ResultDelta,
    reading memo: SharedReader
  ) throws {
    for part in SharedReader.parts(of: objects) {
      try memo.readAhead(expressions, of: part.compactMap { $0.object })
      for (id, object) in part { try add(id, object, evaluation, to: &delta, reading: memo) }
    }
  }

  private func add(
    _ id: StoredValue, _ object: EntityRow?, _ evaluation: RowEvaluation,
    to delta: inout ResultDelta, reading reader: any StorageReader
  ) throws {
    if hasFilter, object != nil { delta.work.conditions += 1 }
    delta.append(id, try object.flatMap { try row($0, evaluation, reading: reader) })
  }

  /// Returns the objects that changes of other objects may concern, and that haven't changed.
  ///
  /// `kept` is the result before the changes, if it is known. If it has few rows, those whose
  /// included values may change are found among them. Objects outside the result stay outside as
  /// long as nothing changes that decides about them.
  func dependents(
    of changes: NetChanges, to kept: ResultSnapshot? = nil, reading reader: any StorageReader
  ) throws -> [Object] {
    let few = Self.comparable(kept)
    let table = changes[query.entity]
    var ids: Set<StoredValue> = []
    for read in few == nil ? reads : decidingReads {
      ids.add(try read.startIDs(changedBy: changes, reading: reader))
    }
    if !ids.isEmpty, let table { ids = ids.filter { table[$0] == nil } }
    let all = Array(ids)
    let rows =
      try (reader as? SharedReader)?.rows(of: query.entity, ids: all)
      ?? all.map { try reader.row(of: query.entity, id: $0) }
    var objects: [Object] = zip(all, rows).map { (id: $0, object: $1) }
    guard let few, !shownReads.isEmpty else { return objects }
    let shown = try findRows(
      among: few, affectedBy: changes, through: shownReads,
      unless: { table?[$0] != nil || ids.contains($0) }, reading: reader)
    for (_, row) in shown { objects.append((id: row.id, object: row.row)) }
    return objects
  }

  /// Returns the rows of the result for objects that belong to it.
  func resultRows(_ objects: [EntityRow], reading reader: any StorageReader) throws -> [ResultRow] {
    var rows: [ResultRow] = []
    rows.reserveCapacity(objects.count)
    try reader.evaluate(expressions, sharing: shared, for: objects, of: { $0 }) {
      rows.append(try resultRow($0, reading: $1))
    }
    return rows
  }

  /// Adds the rows, or nil, of the objects for which a condition of time has changed.
  ///
  /// It leaves out the objects that the delta has already.
  func addPassed(
    from start: PinnedTime, to time: PinnedTime, to delta: inout ResultDelta,
    reading reader: any StorageReader
  ) throws {
    // The objects are read together, even if nothing else is read for them.
    let memo = reader.remembering(shared) ?? reader.remembering(.objects)
    let searching: any StorageReader = if reader.readsAhead, let memo { memo } else { reader }
    let ids = try times.startIDs(
      changingFrom: start.instant, to: time.instant, reading: searching)
    if ids.isEmpty { return }
    let passed = Array(ids.subtracting(delta.rows.map(\.id)))
    let evaluation = evaluation(at: time)
    guard let memo else {
      for id in passed {
        let object = try reader.row(of: query.entity, id: id)
        try add(id, object, evaluation, to: &delta, reading: reader)
      }
      return
    }
    let rows = try memo.rows(of: query.entity, ids: passed)
    let objects: [Object] = zip(passed, rows).map { (id: $0, object: $1) }
    try add(objects, evaluation, to: &delta, reading: memo)
  }

  /// Returns the whole result at the reader's version; only conditions of time need the instant.
  func fetch(
    _ reader: any StorageReader, at instant: @autoclosure () -> Double
  ) throws -> ResultSnapshot {
    if !isTimed { return try fetch(FetchPlan(query, values: values), reader) }
    if let reader = reader as? any PinningReader {
      // It notes the conditions of time, and pins them itself.
      return try fetch(FetchPlan(query, values: values), reader)
        .at(PinnedTime(instant: reader.instant, next: .infinity))
    }
    let instant = instant()
    let plan = FetchPlan(query, values: values).pinned(at: instant)
    return try fetch(plan, reader).at(times.pinned(at: instant, reading: reader))
  }

  private func fetch(_ plan: FetchPlan, _ reader: any StorageReader) throws -> ResultSnapshot {
    if let sorted = try Sorting(plan, from: reader) {
      return ResultSnapshot(self, rows: sorted, version: reader.version)
    }
    let rows = try reader.fetch(plan)
    return ResultSnapshot(
      self, rows: rows.map { resultRow($0.row, values: $0.values) }, version: reader.version)
  }
}
