// The reads of a commit's body: they show the storage with the writes applied.
extension DraftCore: StorageReader {
  var version: Int64 {
    time.check()
    return base.version
  }

  private var isUnwritten: Bool { tables.allSatisfy { $0.changes.count == 0 } }

  func row(of entity: EntityDescription, id: StoredValue) throws -> EntityRow? {
    time.check()
    if let change = written(to: entity)?.changes[id] { return change.new }
    return try base.row(of: entity, id: id)
  }

  func ids(of entity: EntityDescription, where columns: [Int], equal values: [StoredValue]) throws
    -> [StoredValue]
  {
    time.check()
    if columns == [entity.identity] {
      return try row(of: entity, id: values[0]) == nil ? [] : values
    }
    let stored = try base.ids(of: entity, where: columns, equal: values)
    guard let table = written(to: entity) else { return stored }
    return stored.filter { table.changes[$0] == nil } + table.ids(where: columns, equal: values)
  }

  func fetch(_ plan: FetchPlan) throws -> [FetchedRow] {
    time.check()
    if isUnwritten { return try base.fetch(plan) }
    let written = self.written(to: plan.entity)?.changes ?? TableChanges(plan.entity)
    let others = try concerned(by: plan)
    if written.count == 0 && others.isEmpty { return try base.fetch(plan) }
    let compiled = CompiledPlan(plan)
    // A sum that an object had before the writes may be beyond `Int`, so it isn't computed.
    // Neither are the values of objects that are beyond the limit.
    let all = plan.unlimited.withoutValues
    let stored =
      plan.hasWholeSums ? all.leavingOut(others.union(written.all.map(\.id))) : all
    var rows = try base.rows(stored).filter {
      written[$0.id] == nil && !others.contains($0.id)
    }
    for id in try candidates(of: plan, written, others) {
      guard let row = try row(of: plan.entity, id: id) else { continue }
      if let filter = compiled.filter, !(try filter.isTrueUnchecked(of: row, reading: self)) {
        continue
      }
      rows.append(row)
    }
    var sorting = Sorting(compiled)
    for row in rows { try sorting.add(row, reading: self) }
    return try plan.fetched(&sorting, compiled, reading: self)
  }

  /// Returns the objects that may match and weren't taken from the storage.
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
    for read in Set(plan.expressions.flatMap { RelationshipDependency.all(in: $0) }) {
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
    return try fetch(FetchPlan(query)).count
  }
}
