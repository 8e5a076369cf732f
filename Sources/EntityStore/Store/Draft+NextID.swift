internal import Locking

extension Draft {
  /// An id that nothing of an entity has, has had or has been given: a number from 1 on.
  ///
  ///     let id = try store.commit { draft in
  ///       let id = try draft.nextID(Message.self)
  ///       try draft.insert(Message(id: id, text: text))
  ///       return id
  ///     }
  ///
  /// Once a commit has returned, none of its ids is given again: not when the object is deleted, nor when the
  /// commit is undone, and also where no object was inserted. An id that a commit took which threw may be
  /// given again. Objects that were inserted with ids of your own are respected: the next id is higher than
  /// the highest that the entity has, or has deleted.
  ///
  /// In a file the ids are in the file: they go on after it is opened again, and two processes never get the
  /// same. In memory, and in a storage that doesn't keep them (``StorageTransaction/lastID(of:)``), they go
  /// on for as long as the store lives. What another tool inserts and deletes again isn't known,
  /// and what it deletes is for as long as the store lives. An object that one commit inserts and deletes has never
  /// been there.
  ///
  /// - Returns: the id.
  /// - Throws: ``StoreError/noNextID(entity:)`` if the highest number of the type has been used, and what the
  ///   storage throws.
  /// - Complexity: O(1) in memory, but O(*n*) for the first id of an entity; O(log *n*) in a file. *n* is the
  ///   number of objects.
  public func nextID<E: Entity>(_ type: E.Type) throws -> E.ID
  where E.ID: FixedWidthInteger & SignedInteger {
    guard let id = E.ID(exactly: try core.nextID(of: E.schema.entity)) else {
      throw StoreError.noNextID(entity: E.entityName)
    }
    return id
  }

  /// An id of a type of your own over a number, that nothing of an entity has, has had or has been given.
  ///
  ///     struct Message: Entity {
  ///       struct ID: RawRepresentable, Hashable, Storable { var rawValue: Int }
  ///
  /// - Returns: the id.
  /// - Throws: ``StoreError/noNextID(entity:)`` also if the type has no value for the number.
  public func nextID<E: Entity>(_ type: E.Type) throws -> E.ID
  where E.ID: RawRepresentable, E.ID.RawValue: FixedWidthInteger & SignedInteger {
    guard let number = E.ID.RawValue(exactly: try core.nextID(of: E.schema.entity)),
      let id = E.ID(rawValue: number)
    else { throw StoreError.noNextID(entity: E.entityName) }
    return id
  }

  /// There are next ids of whole numbers only.
  @available(
    *, unavailable,
    message:
      "the store gives ids that are whole numbers with a sign; make one of another type yourself"
  )
  @_disfavoredOverload
  public func nextID<E: Entity>(_ type: E.Type) throws -> E.ID { mistake("No next id") }
}

extension DraftCore {
  /// The next id of an entity whose ids are whole numbers.
  func nextID(of entity: EntityDescription) throws -> Int64 {
    mustHold(
      entity.columns[entity.identity].type == .integer,
      "The ids of \(entity.name) aren't stored as whole numbers; give its objects ids of your own")
    let table = try table(of: entity)
    let last = try table.lastID ?? lastID(of: table)
    let (next, isTooHigh) = last.addingReportingOverflow(1)
    if isTooHigh { throw StoreError.noNextID(entity: entity.name) }
    table.give(next)
    return next
  }

  /// The highest id that the entity has had, with what the commit has written.
  private func lastID(of table: TableDraft) throws -> Int64 {
    var last: Int64
    let entity = table.entity
    if let kept = try base.lastID(of: entity) {
      // What others have deleted while the store was open is noted here only.
      last = max(kept, store.lastIDs.withLock { $0.noted(entity) } ?? 0)
    } else {
      let (known, noted) = store.lastIDs.withLock { ($0[entity], $0.noted(entity)) }
      last = known ?? noted ?? 0
      // What has been deleted is noted, and what is there may be higher.
      if known == nil { last = max(last, try highestID(of: entity)) }
    }
    return max(last, table.highestID, 0)
  }

  /// The highest id of the storage's objects.
  private func highestID(of entity: EntityDescription) throws -> Int64 {
    var query = QueryDescription(entity: entity)
    let id = QueryExpression.attribute(
      AttributePath(root: entity, steps: [], column: entity.identity))
    query.orderings = [SortKey(id, isAscending: false, nilsFirst: true)]
    query.limit = 1
    guard case .integer(let id)? = try base.fetch(FetchPlan(query)).first?.row.id else { return 0 }
    return id
  }

  /// The ids that the commit was given: of each entity the last.
  var givenIDs: [EntityDescription: Int64] {
    var ids: [EntityDescription: Int64] = [:]
    for table in tables where table.hasGivenIDs { ids[table.entity] = table.lastID }
    return ids
  }
}
