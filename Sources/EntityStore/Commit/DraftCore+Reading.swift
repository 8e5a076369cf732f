// The reads of a commit's body: they show the storage with the writes applied.
extension DraftCore: StorageReader {
  var version: Int64 {
    time.check()
    return base.version
  }

  private var isUnwritten: Bool { tables.allSatisfy { $0.changes.count == 0 } }

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
    if isUnwritten { return try base.fetch(plan) }
    let written = self.written(to: plan.entity)?.changes ?? TableChanges(plan.entity)
    let others = try concerned(by: plan)
    if written.count == 0 && others.isEmpty { return try base.fetch(plan) }
    let compiled = CompiledPlan(plan)
    var rows = try base.rows(stored(plan, written, others)).filter {
      written[$0.id] == nil && !others.contains($0.id)
    }
    rows += try drafted(plan, compiled.filter, written, others)
    var sorting = Sorting(compiled)
    for row in rows { try sorting.add(row, reading: self) }
    return try plan.fetched(&sorting, compiled, reading: self)
  }

  /// Returns the plan of the rows that are taken from the storage.
  private func stored(
    _ plan: FetchPlan, _ written: TableChanges, _ others: Set<StoredValue>
  ) -> FetchPlan {
    // The values of objects that are beyond the limit aren't computed.
    var stored = plan.withoutValues
    // At most so many of the storage's rows leave their places to those that follow.
    var leaving = others.count + written.countOfReplaced
    if stored.hasWholeSums {
      // A sum that an object had before the writes may be beyond `Int`, so it isn't computed.
      stored = stored.leavingOut(replaced(written, others))
      leaving = 0
    }
    // The relevance depends on all objects, so each write may change the whole order.
    if plan.order.contains(where: \.expression.isRank) { return stored.unlimited }
    return stored.fromStart(and: leaving)
  }

  /// Returns the objects of the storage that aren't taken from it.
  private func replaced(_ written: TableChanges, _ others: Set<StoredValue>) -> Set<StoredValue> {
    others.union(written.all.lazy.filter { $0.old != nil }.map(\.id))
  }

  /// Returns the objects that match and aren't taken from the storage.
  private func drafted(
    _ plan: FetchPlan, _ filter: CompiledExpression?, _ written: TableChanges,
    _ others: Set<StoredValue>
  ) throws -> [EntityRow] {
    var rows: [EntityRow] = []
    for id in try candidates(of: plan, written, others) {
      guard let row = try row(of: plan.entity, id: id) else { continue }
      if let filter, !(try filter.isTrueUnchecked(of: row, reading: self)) { continue }
      rows.append(row)
    }
    return rows
  }

  /// Returns the objects that may match and aren't taken from the storage.
  private func candidates(
    of plan: FetchPlan, _ written: TableChanges, _ others: Set<StoredValue>
  ) throws -> [StoredValue] {
    if let key = plan.entity.lookup(plan.filter) {
      return try ids(of: plan.entity, where: key.columns, equal: key.values)
        .filter { written[$0] != nil || others.contains($0) }
    }
    return written.all.map(\.id) + others.filter { written[$0] == nil }
  }

  /// Returns the objects for which writes to other objects may change the result of a plan.
  private func concerned(by plan: FetchPlan) throws -> Set<StoredValue> {
    var ids: Set<StoredValue> = []
    var changes = NetChanges()
    for table in tables { changes.tables.append(table.changes) }
    for read in RelationshipDependency.all(in: plan.expressions) {
      ids.formUnion(try read.concerned(by: changes, reading: self))
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
    if isUnwritten { return try base.count(entity, where: filter) }
    guard let filter else {
      // Without a condition, each write changes the count independently.
      let written = self.written(to: entity)?.changes.all ?? []
      return try written.reduce(base.count(entity, where: nil)) { count, change in
        count + (change.new == nil ? 0 : 1) - (change.old == nil ? 0 : 1)
      }
    }
    var query = QueryDescription(entity: entity)
    query.filter = filter
    let plan = FetchPlan(query).unordered
    let written = self.written(to: entity)?.changes ?? TableChanges(entity)
    let others = try concerned(by: plan)
    if written.count == 0 && others.isEmpty { return try base.count(entity, where: filter) }
    if entity.lookup(filter) != nil { return try fetch(plan).count }
    let compiled = CompiledExpression(filter, of: entity)
    let drafted = try drafted(plan, compiled, written, others)
    if plan.hasWholeSums {
      let stored = plan.leavingOut(replaced(written, others))
      return try drafted.count + base.count(entity, where: stored.filter)
    }
    var stored = try base.count(entity, where: filter)
    for id in try candidates(of: plan, written, others) {
      guard let row = try written[id].map(\.old) ?? base.row(of: entity, id: id) else { continue }
      if try compiled.isTrueUnchecked(of: row, reading: base) { stored -= 1 }
    }
    return drafted.count + stored
  }
}
