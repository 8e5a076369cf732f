@_spi(Storage) internal import EntityStore

extension ResultPlan {
  /// Returns the delta of a commit for this query: the row, or nil, of each object that it may
  /// concern.
  ///
  /// - Complexity: O(*k*) reads, where *k* is the number of objects concerned.
  func delta(of changes: NetChanges, reading reader: any StorageReader) throws -> ResultDelta {
    var delta = ResultDelta()
    let table = changes[query.entity]
    func belongs(_ object: EntityRow) throws -> ResultRow? {
      if filter != nil { delta.conditions += 1 }
      return try row(object, reading: reader)
    }
    if let table {
      for change in table.all { delta.append(change.id, try change.new.flatMap(belongs)) }
    }
    if reads.isEmpty { return delta }
    var dependents: Set<StoredValue> = []
    for read in reads { dependents.formUnion(try read.concerned(by: changes, reading: reader)) }
    for id in dependents where table?[id] == nil {
      let object = try reader.row(of: query.entity, id: id)
      delta.append(id, try object.flatMap(belongs))
    }
    return delta
  }

  /// Returns the whole result at the reader's version.
  func fetch(_ reader: any StorageReader) throws -> ResultSnapshot {
    let plan = FetchPlan(query, values: values)
    if let sorted = try SortedRows(plan, from: reader) {
      return ResultSnapshot(self, rows: sorted, version: reader.version)
    }
    let rows = try reader.fetch(plan)
    return ResultSnapshot(
      self, rows: rows.map { resultRow($0.row, values: $0.values) }, version: reader.version)
  }
}
