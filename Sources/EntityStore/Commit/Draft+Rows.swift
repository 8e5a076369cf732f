extension Draft {
  /// Inserts an object whose type isn't known, or replaces it if `replacing` is true.
  ///
  /// - Throws: the same errors as ``insert(_:)``, and ``StoreError/unknownEntity(_:)``.
  package func insert(_ row: EntityRow, replacing: Bool) throws {
    try core.insert(row, replacing: replacing)
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
