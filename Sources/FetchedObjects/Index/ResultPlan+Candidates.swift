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
    let (oldMemo, newMemo) = (old.remembering(shared), new.remembering(shared))
    let (old, new): (any StorageReader, any StorageReader) = (oldMemo ?? old, newMemo ?? new)
    var objects = changes[query.entity]?.all.map { ($0.id, $0.old, $0.new) } ?? []
    // An object that isn't in the commit was the same before.
    objects += try dependents(of: changes, reading: new).map { ($0, $1, $1) }
    var found: [Change] = []
    for part in MemoReader.parts(of: objects) {
      try oldMemo?.readAhead(expressions, of: part.compactMap(\.1))
      try newMemo?.readAhead(expressions, of: part.compactMap(\.2))
      for (id, before, after) in part {
        work.candidates += 1
        let before = try before.flatMap { try rowBefore($0, reading: old) }
        let after = try after.flatMap { try row($0, reading: new) }
        switch (before, after) {
        case (nil, nil): continue
        case (let before?, let after?) where !after.differs(from: before): continue
        default: found.append(Change(id: id, old: before, new: after))
        }
      }
    }
    return found
  }

  /// Returns the row that an object had, or nil.
  ///
  /// If a sum that comes with it was beyond `Int`, the row has the values of its order alone. The
  /// changes may be those that make it smaller.
  private func rowBefore(
    _ object: EntityRow, reading reader: any StorageReader
  ) throws -> ResultRow? {
    do {
      return try row(object, reading: reader)
    } catch StoreError.overflow {
      // Its section would have to be read, too.
      if query.sectioning != nil { throw IndexOutOfStep() }
      return try meetsFilter(object, reading: reader) ? orderRow(object, reading: reader) : nil
    }
  }
}
