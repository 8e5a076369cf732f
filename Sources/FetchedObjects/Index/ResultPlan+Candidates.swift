@_spi(Storage) internal import EntityStore

extension ResultPlan {
  /// Returns the objects that changes affect in this query's result.
  ///
  /// They are looked up at the version before and at the version after.
  ///
  /// - Complexity: O(*k*) reads, where *k* is the number of affected objects.
  func changes(
    in changes: NetChanges, from old: any StorageReader, to new: any StorageReader,
    _ work: inout ResultWork
  ) throws -> [ResultChange] {
    let (oldMemo, newMemo) = (old.remembering(shared), new.remembering(shared))
    let (old, new): (any StorageReader, any StorageReader) = (oldMemo ?? old, newMemo ?? new)
    var objects = changes[query.entity]?.all.map { ($0.id, $0.old, $0.new) } ?? []
    // An object that isn't in the commit was the same before.
    objects += try dependents(of: changes, reading: new).map { ($0, $1, $1) }
    var found: [ResultChange] = []
    for part in SharedReader.parts(of: objects) {
      try oldMemo?.readAhead(expressions, of: part.compactMap(\.1))
      try newMemo?.readAhead(expressions, of: part.compactMap(\.2))
      for (id, before, after) in part {
        work.candidates += 1
        let before = try before.flatMap { try candidate($0, reading: old) }
        let after = try after.flatMap { try candidate($0, reading: new) }
        if let change = ResultChange(of: id, slot: nil, old: before, new: after) {
          found.append(change)
        }
      }
    }
    return found
  }

  /// Returns the row of the result for an object, or nil if the filter excludes it.
  ///
  /// If a value that comes with it can't be read, for example a sum beyond `Int`, the row has the
  /// values of its place alone. They are all that the index needs.
  private func candidate(
    _ object: EntityRow, reading reader: any StorageReader
  ) throws -> ResultRow? {
    do {
      return try row(object, reading: reader)
    } catch let error as StoreError where error.isOfOneRow {
      guard try meetsFilter(object, reading: reader) else { return nil }
      return try orderRow(object, withSection: true, reading: reader)
    }
  }
}
