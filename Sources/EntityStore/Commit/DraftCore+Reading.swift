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
    rows += try drafted(plan, compiled.filter, written, affected)
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
    var known = table.firstRows
    let isAgain = known?.areOf(stored) ?? false
    if isAgain, let found = known?.first(wanted, without: written) {
      try base.check()
      table.firstRows = known
      return found
    }
    let first = try firstRows(stored, again: isAgain, written)
    table.firstRows = first
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
  private func drafted(
    _ plan: FetchPlan, _ filter: CompiledExpression?, _ written: TableChanges,
    _ affected: Set<StoredValue>
  ) throws -> [EntityRow] {
    let table = try tableOfMatches(plan, written, affected)
    let known = table?.matches.flatMap { $0.filter == plan.filter ? $0 : nil }
    var rows: [EntityRow] = []
    let ids =
      try known.map { Array($0.ids) }
      ?? candidates(of: plan, existing(written), written, affected)
    for id in ids {
      guard let row = try row(of: plan.entity, id: id) else { continue }
      if let filter, !(try filter.isTrueUnchecked(of: row, reading: self)) { continue }
      rows.append(row)
    }
    if let table, let filter = plan.filter {
      table.note(
        WrittenMatches(
          filter, Set(rows.lazy.map { $0.id(plan.entity) }), seen: known?.seen ?? 0,
          oldCount: known?.oldCount ?? 0))
    }
    return rows
  }

  /// The number of written objects from which on the matches of a filter are kept.
  private static var leastMatches: Int { 8 }

  /// Returns the draft of a plan's entity if it keeps the matches of the plan's filter.
  private func tableOfMatches(
    _ plan: FetchPlan, _ written: TableChanges, _ affected: Set<StoredValue>
  ) throws -> TableDraft? {
    guard written.count > Self.leastMatches, affected.isEmpty, let filter = plan.filter,
      plan.entity.lookup(filter) == nil,
      // Writes to other objects would change the matches.
      RelationshipDependency.all(in: [filter]).isEmpty
    else { return nil }
    return self.written(to: plan.entity)
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

  /// Returns the objects that may match and aren't taken from the storage, among `changed` objects
  /// and `affected` ones.
  private func candidates(
    of plan: FetchPlan, _ changed: @autoclosure () -> [StoredValue], _ written: TableChanges,
    _ affected: Set<StoredValue>
  ) throws -> [StoredValue] {
    if let key = plan.entity.lookup(plan.filter) {
      return try ids(of: plan.entity, where: key.columns, equal: key.values)
        .filter { written[$0] != nil || affected.contains($0) }
    }
    return changed() + affected.filter { written[$0] == nil }
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
    if entity.lookup(filter) != nil { return try fetch(plan).count }
    let compiled = CompiledExpression(filter, of: entity)
    let drafted = try drafted(plan, compiled, written, affected)
    if plan.hasWholeSums {
      let stored = plan.leavingOut(replaced(written, affected))
      return try drafted.count + base.count(entity, where: stored.filter)
    }
    var stored = try base.count(entity, where: filter)
    // If the matches of the written objects are kept, they have just been noted. The old rows don't
    // change, so each is tested once.
    if let table = self.written(to: entity), let known = table.matches, known.filter == filter {
      var oldCount = known.oldCount
      for place in known.seen..<written.count {
        guard let old = written.all[place].old else { continue }
        if try compiled.isTrueUnchecked(of: old, reading: base) { oldCount += 1 }
      }
      table.note(
        WrittenMatches(filter, known.ids, seen: written.count, oldCount: oldCount))
      return drafted.count + stored - oldCount
    }
    for id in try candidates(of: plan, written.all.map(\.id), written, affected) {
      guard let row = try written[id].map(\.old) ?? base.row(of: entity, id: id) else { continue }
      if try compiled.isTrueUnchecked(of: row, reading: base) { stored -= 1 }
    }
    return drafted.count + stored
  }
}
