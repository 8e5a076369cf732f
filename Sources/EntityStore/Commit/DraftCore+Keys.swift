// On a server, a look-up is a round trip. So the objects that are about to be looked up by a key or
// a reference are read together.
extension DraftCore: AheadReader {
  /// Reads together what is needed to write rows by a key, from a storage that reads ahead.
  ///
  /// The objects with keys of several attributes are looked up later, one by one.
  func readAhead(_ rows: [EntityRow], by key: [Int], of entity: EntityDescription) throws {
    if key.count == 1 {
      try readAhead(Set(rows.map { $0.value(at: key[0]) }), at: key[0], of: entity)
    }
    let table = try table(of: entity)
    let ids = Set(rows.map { $0.id(entity) }).filter { table.knownRow($0) == nil }
    try base.readAhead(Array(ids), of: entity, keepsOthers: false)
  }

  /// Reads together objects that are looked up next, from a storage that reads ahead.
  package func readAhead(_ ids: [StoredValue], of entity: EntityDescription) throws {
    if !base.readsAhead { return }
    let table = written(to: entity)
    let missing = Set(ids).filter { table?.change(of: $0) == nil && table?.knownRow($0) == nil }
    if missing.count > 1 { try base.readAhead(Array(missing), of: entity, keepsOthers: false) }
  }

  /// Reads together the objects that had one of some values of an attribute before the commit.
  ///
  /// Later look-ups of these values, and of the ids that are found, don't ask the storage.
  /// A value that more than `limit` objects have is looked up later.
  func readAhead(
    _ values: Set<StoredValue>, at column: Int, of entity: EntityDescription, limit: Int? = nil
  ) throws {
    let table = try table(of: entity)
    let missing = values.filter { table.knownIDs(where: [column], equal: [$0]) == nil }
    var size = Self.mostTogether
    _ = try base.readTogether(
      entity, column, among: missing, limit: limit, size: &size
    ) {
      table.note($0, among: $1, at: column)
      return true
    }
  }
}
