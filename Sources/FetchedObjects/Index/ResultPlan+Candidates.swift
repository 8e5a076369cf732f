@_spi(Storage) internal import EntityStore

extension ResultPlan {
  /// An object that a commit may affect, with its rows before and after.
  ///
  /// A row is nil if the object isn't in the result.
  struct Change {
    let id: StoredValue
    let old: ResultRow?
    let new: ResultRow?
  }

  /// Returns the objects that changes affect in this query's result.
  ///
  /// They are looked up at the version before and at the version after.
  ///
  /// - Complexity: O(*k*) reads, where *k* is the number of affected objects.
  func changes(
    in changes: NetChanges, from old: any StorageReader, to new: any StorageReader,
    _ work: inout ResultWork
  ) throws -> [Change] {
    var found: [Change] = []
    func look(_ id: StoredValue, _ before: EntityRow?, _ after: EntityRow?) throws {
      work.candidates += 1
      let before = try before.flatMap { try row($0, reading: old) }
      let after = try after.flatMap { try row($0, reading: new) }
      switch (before, after) {
      case (nil, nil): return
      case (let before?, let after?) where !after.differs(from: before): return
      default: found.append(Change(id: id, old: before, new: after))
      }
    }
    let table = changes[query.entity]
    for change in table?.all ?? [] { try look(change.id, change.old, change.new) }
    var dependents: Set<StoredValue> = []
    for read in reads { dependents.formUnion(try read.concerned(by: changes, reading: new)) }
    for id in dependents where table?[id] == nil {
      let object = try new.row(of: query.entity, id: id)
      // An object that isn't in the commit was the same before.
      try look(id, object, object)
    }
    return found
  }
}
