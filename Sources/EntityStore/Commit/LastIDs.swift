internal import Locking

/// The highest ids that a store's objects have had, if the storage doesn't keep them itself.
///
/// The highest id of an entity is known once it has been requested. For other entities, only the
/// ids of deleted objects are noted, because existing objects can be looked at.
struct LastIDs: Sendable {
  private struct Last {
    var id: Int64
    /// True if no object has had a higher one.
    var isKnown: Bool
  }

  private var ids: [ObjectIdentifier: Last] = [:]
  /// True if any highest id is known, so that inserted objects have to be looked at.
  private(set) var isAnyKnown = false

  /// The highest id, or nil if an existing object may have a higher one.
  subscript(entity: EntityDescription) -> Int64? {
    ids[entity.type].flatMap { $0.isKnown ? $0.id : nil }
  }

  /// Returns the highest id that is noted, or nil.
  ///
  /// Only existing objects can have a higher one.
  func noted(_ entity: EntityDescription) -> Int64? { ids[entity.type]?.id }

  mutating func note(_ given: [EntityDescription: Int64], _ changes: NetChanges) {
    for (entity, id) in given {
      ids[entity.type] = Last(id: max(id, ids[entity.type]?.id ?? 0), isKnown: true)
      isAnyKnown = true
    }
    for table in changes.tables { note(table) }
  }

  private mutating func note(_ table: TableChanges) {
    let type = table.entity.type
    let isKnown = isAnyKnown && self[table.entity] != nil
    guard let highest = table.highestID(ofAll: isKnown), highest > ids[type]?.id ?? 0 else {
      return
    }
    ids[type] = Last(id: highest, isKnown: isKnown)
  }

  /// Marks all highest ids as unknown, after an external commit whose changes aren't known.
  mutating func forgetObjects() {
    for type in ids.keys { ids[type]?.isKnown = false }
    isAnyKnown = false
  }
}

extension Store {
  /// Notes the ids that a commit was given, and those of the objects that it changed.
  ///
  /// The caller holds the writers' lock. Most commits only update objects, and pay for one look at
  /// each change.
  func noteIDs(_ given: [EntityDescription: Int64], _ changes: NetChanges) {
    guard areNewIDsNoted || !given.isEmpty || changes.hasDeletions else { return }
    lastIDs.withLock { ids in
      ids.note(given, changes)
      areNewIDsNoted = ids.isAnyKnown
    }
  }

  /// Marks all highest ids as unknown, after an external commit whose changes aren't known.
  func forgetIDs() {
    lastIDs.withLock { $0.forgetObjects() }
    areNewIDsNoted = false
  }

  /// Returns the highest id that is noted for an entity, or nil.
  ///
  /// Only existing objects can have a higher one.
  package func notedLastID(of entity: EntityDescription) -> Int64? {
    lastIDs.withLock { $0.noted(entity) }
  }
}

extension NetChanges {
  fileprivate var hasDeletions: Bool {
    tables.contains { table in
      // The loop uses positions, so that no change is copied.
      table.all.indices.contains { table.all[$0].new == nil }
    }
  }
}

extension TableChanges {
  /// Returns the highest number above 0 that is an id of a deleted object, or of any object.
  package func highestID(ofAll: Bool = false) -> Int64? {
    guard entity.columns[entity.identity].type == .integer else { return nil }
    var highest: Int64?
    let all = all
    // The loop uses positions, so that no change is copied.
    for place in all.indices where ofAll || all[place].new == nil {
      if case .integer(let id) = all[place].id, id > highest ?? 0 { highest = id }
    }
    return highest
  }
}
