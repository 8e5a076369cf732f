extension Draft {
  /// Inserts an object whose type isn't known, or replaces it if `replacing` is true.
  ///
  /// - Throws: the same errors as ``insert(_:)``, and ``StoreError/unknownEntity(_:)``.
  package func insert(_ row: EntityRow, replacing: Bool) throws {
    try core.insert(row, replacing: replacing)
  }

  /// Has a storage far away read together the objects that have the ids of `rows`.
  ///
  /// Later look-ups of these ids in the commit don't ask the storage.
  ///
  /// - Throws: the errors of reading an object.
  package func readAhead(_ rows: some Sequence<EntityRow>) throws {
    let core = core
    if !core.base.readsAhead { return }
    var ids: [EntityDescription: Set<StoredValue>] = [:]
    for row in rows { ids[row.entity, default: []].insert(row.id) }
    for (entity, ids) in ids {
      try core.base.readAhead(Array(ids), of: entity, keepsOthers: false)
    }
  }
}

extension StoreError {
  package var objects: [ObjectID] {
    switch self {
    case .alreadyExists(let object), .notFound(let object), .idChanged(let object, _),
      .missingValue(let object, _), .inexactID(let object, _), .checkFailed(let object, _),
      .missingReference(let object, _, _), .changedSince(let object, _, _, _),
      .notANumber(let object, _), .unreadable(let object, _, _):
      [object]
    case .deleteDenied(let object, let referrer, _): [object, referrer]
    case .notUnique(let objects, _, _): objects
    case .unknownEntity, .overflow, .noNextID, .tooManyVersions, .snapshotsUnsupported,
      .rowNumbersUnsupported, .notIndexable, .refusedSQL, .storage, .outcomeUnknown:
      []
    }
  }
}
