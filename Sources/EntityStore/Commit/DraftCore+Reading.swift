// The reads of a commit's body: they show the storage with the writes applied.
extension DraftCore: StorageReader {
  var version: Int64 {
    time.check()
    return base.version
  }

  private var hasNoWrites: Bool { tables.allSatisfy { $0.changes.count == 0 } }

  func row(of entity: EntityDescription, id: StoredValue) throws -> EntityRow? {
    time.check()
    if let table = written(to: entity) {
      if let change = table.changes[id] { return change.new }
      if let row = table.knownRow(id) { return row }
    }
    return try base.row(of: entity, id: id)
  }

  func ids(of entity: EntityDescription, where columns: [Int], equal values: [StoredValue]) throws
    -> [StoredValue]
  {
    time.check()
    if columns == [entity.identity] {
      return try row(of: entity, id: values[0]) == nil ? [] : values
    }
    guard let table = written(to: entity) else {
      return try base.ids(of: entity, where: columns, equal: values)
    }
    let stored =
      try table.knownIDs(where: columns, equal: values)
      ?? base.ids(of: entity, where: columns, equal: values)
    return stored.filter { table.changes[$0] == nil } + table.ids(where: columns, equal: values)
  }

  func fetch(_ plan: FetchPlan) throws -> [FetchedRow] {
    time.check()
    if hasNoWrites { return try base.fetch(plan) }
    let written = self.written(to: plan.entity)?.changes ?? TableChanges(plan.entity)
    let affected = try affectedIDs(of: plan)
    if written.count == 0 && affected.isEmpty { return try base.fetch(plan) }
    let compiled = CompiledPlan(plan)
    var rows = try storedRows(plan, written, affected)
    rows += try drafted(plan, compiled, written, affected)
    var sorting = Sorting(compiled)
    for row in rows { try sorting.add(row, reading: self) }
    return try plan.fetched(&sorting, compiled, reading: self)
  }

  /// Returns the objects that are taken from the storage.
  private func storedRows(
    _ plan: FetchPlan, _ written: TableChanges, _ affected: Set<StoredValue>
  ) throws -> [EntityRow] {
    let stored = stored(plan, written, affected)
    guard affected.isEmpty, let wanted = plan.end, stored.limit != nil, !stored.order.isEmpty,
      !stored.hasWholeSums, let table = self.written(to: plan.entity)
    else {
      return try base.rows(stored).filter { written[$0.id] == nil && !affected.contains($0.id) }
    }
    let known = table.takeFirstRows(of: stored)
    if var known, let found = known.first(wanted, without: written) {
      try base.check()
      table.keep(known)
      return found
    }
    let first = try firstRows(stored, again: known != nil, written)
    table.keep(first)
    return Array(first.rows.prefix(wanted))
  }

  /// The number of objects that are read beyond a request for the next ones.
  private static var mostFirstRows: Int { 4096 }

  /// Reads the first objects of a plan, and more if they are requested `again`.
  private func firstRows(
    _ stored: FetchPlan, again isAgain: Bool, _ written: TableChanges
  ) throws -> FirstRows {
    if isAgain {
      // Each time, about twice as many are read, up to some thousand more. So if a body deletes one
      // object after another, all requests together read few of them more than once.
      let more = stored.fromStart(and: min(written.countOfReplaced, Self.mostFirstRows))
      do {
        return try FirstRows(more, from: base, without: written)
      } catch StoreError.unreadable {
        // Perhaps nobody asks for that object. A caller that does gets the error then.
      } catch StoreError.storage(let fault) where fault.kind == .corrupt {
        // Perhaps nobody asks for what a damaged page has.
      }
    }
    return try FirstRows(stored, from: base, without: written)
  }

  /// Returns the plan of the rows that are taken from the storage.
  private func stored(
    _ plan: FetchPlan, _ written: TableChanges, _ affected: Set<StoredValue>
  ) -> FetchPlan {
    // The values of objects that are beyond the limit aren't computed.
    var stored = plan.withoutValues
    // At most so many of the storage's rows leave their places to those that follow.
    var leaving = affected.count + written.countOfReplaced
    if stored.hasWholeSums {
      // A sum that an object had before the writes may be beyond `Int`, so it isn't computed.
      stored = stored.leavingOut(replaced(written, affected))
      leaving = 0
    }
    // The relevance depends on all objects, so each write may change the whole order.
    if plan.order.contains(where: \.expression.isRank) { return stored.unlimited }
    return stored.fromStart(and: leaving)
  }

  /// Returns the ids of the stored objects of which the draft's version counts.
  private func replaced(_ written: TableChanges, _ affected: Set<StoredValue>) -> Set<StoredValue> {
    affected.union(written.all.lazy.filter { $0.old != nil }.map(\.id))
  }

  /// Returns the objects that match and aren't taken from the storage.
  ///
  /// Objects behind the end of the plan may be left out.
  private func drafted(
    _ plan: FetchPlan, _ compiled: CompiledPlan, _ written: TableChanges,
    _ affected: Set<StoredValue>
  ) throws -> [EntityRow] {
    let first = try withMatches(of: plan, compiled, written, affected) { $0.first(plan.end) }
    if let first { return try first.compactMap { try row(of: plan.entity, id: $0) } }
    return try tested(plan, compiled, written, affected)
  }

  /// Tests the objects that aren't taken from the storage, and returns those that match.
  private func tested(
    _ plan: FetchPlan, _ compiled: CompiledPlan, _ written: TableChanges,
    _ affected: Set<StoredValue>
  ) throws -> [EntityRow] {
    var rows: [EntityRow] = []
    for id in try candidates(of: plan, written, affected) {
      guard let row = try row(of: plan.entity, id: id) else { continue }
      if try compiled.filter?.isTrueUnchecked(of: row, reading: self) ?? true { rows.append(row) }
    }
    return rows
  }

  /// The number of objects from which on those that match are kept.
  private static var leastMatches: Int { 8 }

  /// Calls `body` with the written objects that match a plan's filter, in the plan's order if it
  /// has a limit, and keeps them.
  ///
  /// - Returns: the result of `body`, or nil if the plan is new, or its matches aren't kept.
  private func withMatches<Result>(
    of plan: FetchPlan, _ compiled: CompiledPlan, _ written: TableChanges,
    _ affected: Set<StoredValue>, _ body: (inout WrittenMatches) throws -> Result
  ) throws -> Result? {
    let order = plan.end == nil ? [] : plan.order
    let tests = [plan.filter].compactMap { $0 } + order.map(\.expression)
    guard written.count > Self.leastMatches, affected.isEmpty, !tests.isEmpty,
      let table = self.written(to: plan.entity),
      // Writes to other objects would change the matches, and their order.
      RelationshipDependency.all(in: tests).isEmpty, !tests.contains(where: \.isRank)
    else { return nil }
    let writesBefore = writes
    // There is no second reference to what is taken, so changing it copies nothing.
    guard var matches = table.takeMatches(of: plan.filter, in: order) else {
      // A body that asks once needs no more than the objects.
      table.keep(WrittenMatches(plan.filter, order))
      return nil
    }
    // The objects with a key may be fewer than those that were written since.
    if matches.areKnown, let key = plan.entity.lookup(plan.filter),
      table.ids(where: key.columns, equal: key.values).count < matches.untested.count
    {
      matches.forget()
    }
    var ids = Array(matches.untested)
    if !matches.areKnown {
      ids = try candidates(of: plan, written, affected)
      if ids.count <= Self.leastMatches {
        table.keep(matches)
        return nil
      }
    }
    let outcomes = try ids.map { id -> (id: StoredValue, keys: [StoredValue]?) in
      guard let row = try row(of: plan.entity, id: id),
        try compiled.filter?.isTrueUnchecked(of: row, reading: self) ?? true
      else { return (id, nil) }
      if order.isEmpty { return (id, []) }
      return (id, try compiled.keys.map { try $0.uncheckedValue(of: row, reading: self) })
    }
    matches.set(outcomes)
    let result = try body(&matches)
    // The tests run code of the app. It must not write, but it can.
    if writes == writesBefore { table.keep(matches) }
    return result
  }

  /// Returns the written objects that exist, and perhaps some that are deleted.
  private func existing(_ written: TableChanges) -> [StoredValue] {
    // An index costs each later write something. It is worth that if most objects are deleted.
    guard written.countOfGone > 64, written.countOfGone > written.count / 2,
      let table = self.written(to: written.entity)
    else { return written.all.map(\.id) }
    // All objects have the same key without attributes.
    return Array(table.ids(where: [], equal: []))
  }

  /// Returns the objects that may match and aren't taken from the storage.
  private func candidates(
    of plan: FetchPlan, _ written: TableChanges, _ affected: Set<StoredValue>
  ) throws -> [StoredValue] {
    guard let key = plan.entity.lookup(plan.filter) else {
      return existing(written) + affected.filter { written[$0] == nil }
    }
    if !affected.isEmpty {
      return try ids(of: plan.entity, where: key.columns, equal: key.values)
        .filter { written[$0] != nil || affected.contains($0) }
    }
    if key.columns == [plan.entity.identity] {
      return written[key.values[0]] == nil ? [] : key.values
    }
    let table = self.written(to: plan.entity)
    return table.map { Array($0.ids(where: key.columns, equal: key.values)) } ?? []
  }

  /// Returns the objects for which writes to other objects may change the result of a plan.
  private func affectedIDs(of plan: FetchPlan) throws -> Set<StoredValue> {
    var ids: Set<StoredValue> = []
    var changes = NetChanges()
    for table in tables { changes.tables.append(table.changes) }
    for read in RelationshipDependency.all(in: plan.expressions) {
      ids.formUnion(try read.startIDs(changedBy: changes, reading: self))
    }
    return ids
  }

  /// Returns the storage's plan; it doesn't include the work for the draft's own writes.
  func explain(_ plan: FetchPlan) throws -> QueryPlan {
    time.check()
    return try base.explain(plan)
  }

  func count(_ entity: EntityDescription, where filter: QueryExpression?) throws -> Int {
    time.check()
    if hasNoWrites { return try base.count(entity, where: filter) }
    guard let filter else {
      let stored = try base.count(entity, where: nil)
      guard let written = self.written(to: entity)?.changes else { return stored }
      return stored - written.countOfReplaced + written.count - written.countOfGone
    }
    let plan = FetchPlan(of: entity, where: filter).unordered
    let written = self.written(to: entity)?.changes ?? TableChanges(entity)
    let affected = try affectedIDs(of: plan)
    if written.count == 0 && affected.isEmpty { return try base.count(entity, where: filter) }
    let compiled = CompiledPlan(plan)
    if plan.hasWholeSums {
      let stored = plan.leavingOut(replaced(written, affected))
      return try drafted(plan, compiled, written, affected).count
        + base.count(entity, where: stored.filter)
    }
    // The objects with a key are those whose old rows had it.
    let table = self.written(to: entity)
    let places = entity.lookup(filter).flatMap { key in
      table?.places(ofOldWith: key.columns, equal: key.values)
    }
    let end = places?.count ?? written.count
    func hasMatched(_ number: Int) throws -> Bool {
      let place = places?[number] ?? number
      guard place < written.count, let old = written.all[place].old else { return false }
      return try compiled.filter?.isTrueUnchecked(of: old, reading: base) ?? true
    }
    let more = try withMatches(of: plan, compiled, written, affected) { matches in
      // The old rows don't change, so each is tested once.
      while matches.seen < end {
        if try hasMatched(matches.seen) { matches.oldCount += 1 }
        matches.seen += 1
      }
      return matches.count - matches.oldCount
    }
    var count = try base.count(entity, where: filter)
    if let more { return count + more }
    count += try tested(plan, compiled, written, affected).count
    for number in 0..<end {
      if try hasMatched(number) { count -= 1 }
    }
    for id in affected where written[id] == nil {
      guard let row = try base.row(of: entity, id: id) else { continue }
      if try compiled.filter?.isTrueUnchecked(of: row, reading: base) ?? true { count -= 1 }
    }
    return count
  }
}
