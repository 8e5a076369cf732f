internal import Locking

extension Draft {
  /// Returns an id that no object of an entity has or has had, and that wasn't returned before.
  ///
  /// Ids are numbers from 1 on.
  ///
  ///     let id = try store.commit { draft in
  ///       let id = try draft.nextID(Message.self)
  ///       try draft.insert(Message(id: id, text: text))
  ///       return id
  ///     }
  ///
  /// Once a commit has returned, its ids are never returned again. This also holds if the object is
  /// deleted, if the commit is undone, and if no object was inserted with the id. If a commit
  /// throws, its ids may be returned again. Ids that you choose yourself are respected: the next id
  /// is higher than the highest one that the entity has or has deleted.
  ///
  /// A file keeps the last ids. So they continue after it is opened again, and two processes never
  /// get the same id. In memory, and in a storage that doesn't keep them
  /// (``StorageTransaction/lastID(of:)``), they continue for as long as the store lives.
  ///
  /// The id of an object that another tool deletes is remembered for as long as the store lives. An
  /// object that another tool both inserts and deletes is unknown. An object that one commit both
  /// inserts and deletes counts as never inserted, and so does one whose insert an inner commit
  /// that throws has taken back. (`undo()` is a commit that deletes: the ids stay used.)
  ///
  /// - Returns: the id.
  /// - Throws: ``StoreError/noNextID(entity:)`` if the highest number of the type has been used, or
  ///   an error of the storage.
  /// - Complexity: In a file, O(log *n*), where *n* is the number of objects. In memory, O(*n*)
  ///   until a commit that called this method for the entity has succeeded, and then O(1).
  public func nextID<E: Entity>(_ type: E.Type) throws -> E.ID
  where E.ID: FixedWidthInteger & SignedInteger {
    try E.ID(core.nextID(of: E.schema.entity, upTo: Int64(clamping: E.ID.max)))
  }

  /// Returns the next id of an entity whose ids are a custom type that wraps a number.
  ///
  ///     struct Message: Entity {
  ///       struct ID: RawRepresentable, Hashable, Storable { var rawValue: Int }
  ///
  /// - Returns: the id.
  /// - Throws: ``StoreError/noNextID(entity:)`` also if the type has no value for the number.
  public func nextID<E: Entity>(_ type: E.Type) throws -> E.ID
  where E.ID: RawRepresentable, E.ID.RawValue: FixedWidthInteger & SignedInteger {
    let limit = Int64(clamping: E.ID.RawValue.max)
    let number = try E.ID.RawValue(core.nextID(of: E.schema.entity, upTo: limit))
    guard let id = E.ID(rawValue: number) else {
      throw StoreError.noNextID(entity: E.entityName)
    }
    return id
  }

  /// Can't be used: only ids that are whole numbers have a next id.
  @available(
    *, unavailable,
    message:
      "the store gives ids that are whole numbers with a sign; make one of another type yourself"
  )
  @_disfavoredOverload
  public func nextID<E: Entity>(_ type: E.Type) throws -> E.ID { mistake("No next id") }
}

extension DraftCore {
  /// Returns the next id of an entity whose ids are whole numbers up to `limit`.
  func nextID(of entity: EntityDescription, upTo limit: Int64) throws -> Int64 {
    mustHold(
      entity.columns[entity.identity].type == .integer,
      "The ids of \(entity.name) aren't stored as whole numbers; give its objects ids of your own")
    let table = try table(of: entity)
    let before = try table.lastID ?? lastID(of: entity)
    table.lastID = before
    let last = max(before, table.highestID, table.givenID ?? 0)
    // This uses no id up: the insert of the object with the highest one may be undone.
    guard last < limit else { throw StoreError.noNextID(entity: entity.name) }
    table.givenID = last + 1
    return last + 1
  }

  /// Returns the highest id that the entity had before the commit.
  private func lastID(of entity: EntityDescription) throws -> Int64 {
    if let kept = try base.lastID(of: entity) {
      // Only the store remembers the ids that others deleted while it was open.
      return max(kept, store.lastIDs.withLock { $0.noted(entity) } ?? 0)
    }
    let (known, noted) = store.lastIDs.withLock { ($0[entity], $0.noted(entity)) }
    if let known { return known }
    // The ids of deleted objects are noted. An existing object may have a higher one.
    return try max(noted ?? 0, highestID(of: entity))
  }

  /// Returns the highest id of the storage's objects.
  private func highestID(of entity: EntityDescription) throws -> Int64 {
    let key = SortKey(.column(entity.identity, of: entity), isAscending: false)
    let plan = FetchPlan(of: entity, by: [key], limit: 1)
    guard case .integer(let id)? = try base.fetch(plan).first?.row.id else { return 0 }
    return id
  }

  /// The last id of each entity that the commit was given.
  var givenIDs: [EntityDescription: Int64] {
    var ids: [EntityDescription: Int64] = [:]
    for table in tables {
      if let id = table.givenID { ids[table.entity] = id }
    }
    return ids
  }
}
