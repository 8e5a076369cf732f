@_spi(Storage) internal import EntityStore

extension ResultPlan {
  /// Returns the delta of a commit for this query: the row, or nil, of each object that it may
  /// concern.
  ///
  /// - Complexity: O(*k*) reads, where *k* is the number of objects concerned.
  func delta(
    of changes: NetChanges, at time: PinnedTime? = nil, reading reader: any StorageReader
  ) throws -> ResultDelta {
    var delta = ResultDelta()
    let table = changes[query.entity]
    let evaluation = evaluation(at: time)
    func add(_ id: StoredValue, _ object: EntityRow?, _ reader: any StorageReader) throws {
      if hasFilter, object != nil { delta.work.conditions += 1 }
      delta.append(id, try object.flatMap { try row($0, evaluation, reading: reader) })
    }
    if let table { delta.reserveCapacity(table.all.count) }
    guard let memo = reader.remembering(shared) else {
      for change in table?.all ?? [] { try add(change.id, change.new, reader) }
      for id in try idsOfDependents(of: changes, reading: reader) {
        try add(id, try reader.row(of: query.entity, id: id), reader)
      }
      return delta
    }
    let reader = memo
    var objects = table?.all.map { ($0.id, $0.new) } ?? []
    objects += try dependents(of: changes, reading: reader)
    for part in SharedReader.parts(of: objects) {
      try memo.readAhead(expressions, of: part.compactMap(\.1))
      for (id, object) in part { try add(id, object, reader) }
    }
    return delta
  }

  /// Returns the objects that changes of other objects may concern, and that haven't changed.
  func dependents(
    of changes: NetChanges, reading reader: any StorageReader
  ) throws -> [(id: StoredValue, object: EntityRow?)] {
    let all = Array(try idsOfDependents(of: changes, reading: reader))
    let objects =
      try (reader as? SharedReader)?.rows(of: query.entity, ids: all)
      ?? all.map { try reader.row(of: query.entity, id: $0) }
    return Array(zip(all, objects))
  }

  /// Returns the ids of these objects.
  private func idsOfDependents(
    of changes: NetChanges, reading reader: any StorageReader
  ) throws -> Set<StoredValue> {
    var ids: Set<StoredValue> = []
    for read in reads { ids.formUnion(try read.startIDs(changedBy: changes, reading: reader)) }
    if !ids.isEmpty, let table = changes[query.entity] { ids = ids.filter { table[$0] == nil } }
    return ids
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
    let ids = try times.startIDs(changingFrom: start.instant, to: time.instant, reading: reader)
    let known = Set(ids.isEmpty ? [] : delta.rows.map(\.id))
    for id in ids where !known.contains(id) {
      let object = try reader.row(of: query.entity, id: id)
      if hasFilter { delta.work.conditions += 1 }
      delta.append(id, try object.flatMap { try row($0, at: time, reading: reader) })
    }
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
    if let sorted = try SortedRows(plan, from: reader) {
      return ResultSnapshot(self, rows: sorted, version: reader.version)
    }
    let rows = try reader.fetch(plan)
    return ResultSnapshot(
      self, rows: rows.map { resultRow($0.row, values: $0.values) }, version: reader.version)
  }
}
