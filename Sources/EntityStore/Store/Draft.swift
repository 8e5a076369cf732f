internal import Locking

/// What the body of a commit writes to, and where it reads its own writes.
///
///     try store.commit { draft in
///       try draft.insert(car)
///       try draft.update(Car.self, id) { $0.year = 1994 }
///     }
///
/// Uniqueness, references and delete rules are judged when the outermost commit ends, on what has
/// changed by then; until then they may be broken.
///
/// Everything that writes or reads also throws ``StoreError/unknownEntity(_:)`` if the store wasn't opened
/// with the entity, and what the storage throws: ``StoreError/storage(_:)``, or
/// ``StoreError/unreadable(_:attribute:found:)`` for a value that isn't of its attribute's type.
///
/// - Precondition: a draft is used inside its commit's body only.
public struct Draft: ~Copyable, StoreReading {
  private let openCore: DraftCore

  init(_ core: DraftCore) { openCore = core }

  var core: DraftCore {
    mustHold(
      openCore.isOpen, "A draft is used after its commit; do the work inside the commit's body")
    return openCore
  }

  // MARK: Writing

  /// Inserts an object.
  ///
  /// - Throws: ``StoreError/alreadyExists(_:)``, ``StoreError/notANumber(_:attribute:)``.
  @inlinable public func insert<E: Entity>(_ object: E) throws {
    try _insert(EntityRow(_object: object), E.schema.entity)
  }

  /// Inserts an object, or puts it in the place of the one with its id.
  ///
  /// - Throws: ``StoreError/notANumber(_:attribute:)``.
  public func upsert<E: Entity>(_ object: E) throws {
    try core.insert(EntityRow(object), replacing: true)
  }

  /// Puts an object in the place of the one with its id.
  ///
  ///     guard var car = try draft.find(Car.self, id) else { return }
  ///     car.year = 1994
  ///     try draft.update(car)
  ///
  /// All its attributes are written, also those that somebody else has changed since it was read: where it was
  /// read before the commit, ``update(_:_:_:)`` changes only what you mean.
  ///
  /// - Throws: ``StoreError/notFound(_:)``, ``StoreError/notANumber(_:attribute:)``.
  public func update<E: Entity>(_ object: E) throws { try core.update(EntityRow(object)) }

  /// Changes an object in place, and gives what `body` returns.
  ///
  /// If it throws, nothing has changed.
  ///
  /// - Throws: ``StoreError/notFound(_:)``, ``StoreError/idChanged(_:to:)``,
  ///   ``StoreError/notANumber(_:attribute:)``, or what `body` throws.
  @discardableResult @inlinable
  public func update<E: Entity, Result>(
    _ type: E.Type, _ id: E.ID, _ body: (inout E) throws -> Result
  ) throws -> Result {
    let schema = E.schema
    let update = try _beginUpdate(schema.entity, schema.stored(id))
    do {
      var object: E = update.row._object()
      let result = try body(&object)
      try _finish(update, EntityRow(_object: object))
      return result
    } catch {
      _abort(update)
      throw error
    }
  }

  /// Changes the object that a reference names in place, and gives what `body` returns.
  ///
  /// If it throws, nothing has changed.
  ///
  /// - Throws: as ``update(_:_:_:)``.
  @discardableResult @inlinable
  public func update<E: Entity, Result>(
    _ reference: Ref<E>, _ body: (inout E) throws -> Result
  ) throws -> Result { try update(E.self, reference.id, body) }

  // Not generic, so that what is inlined into an app calls something compiled once.

  @usableFromInline func _insert(_ row: EntityRow, _ entity: EntityDescription) throws {
    try core.insert(row, of: entity, replacing: false)
  }

  @usableFromInline func _beginUpdate(
    _ entity: EntityDescription, _ id: StoredValue
  ) throws -> DraftUpdate { try core.beginUpdate(entity, id: id) }

  @usableFromInline func _finish(_ update: DraftUpdate, _ row: EntityRow) throws {
    try core.finish(update, with: row)
  }

  @usableFromInline func _abort(_ update: DraftUpdate) { openCore.abort(update) }

  /// Deletes an object.
  ///
  /// What refers to it follows its delete rule when the commit ends.
  ///
  /// - Throws: ``StoreError/notFound(_:)``.
  public func delete<E: Entity>(_ type: E.Type, _ id: E.ID) throws {
    try core.delete(E.schema.entity, id: E.schema.stored(id))
  }

  /// Deletes the object with the id of another one, which needn't be equal to it.
  ///
  ///     for car in try draft.fetch(Query<Car>().filter { $0.year < 1990 }) { try draft.delete(car) }
  ///
  /// What refers to it follows its delete rule when the commit ends.
  ///
  /// - Throws: ``StoreError/notFound(_:)``.
  public func delete<E: Entity>(_ object: E) throws { try delete(E.self, object.id) }

  /// Deletes the object that a reference names.
  ///
  /// What refers to it follows its delete rule when the commit ends.
  ///
  /// - Throws: ``StoreError/notFound(_:)``.
  public func delete<E: Entity>(_ reference: Ref<E>) throws { try delete(E.self, reference.id) }

  /// Deletes an object by its name.
  ///
  /// - Throws: ``StoreError/notFound(_:)``, ``StoreError/unknownEntity(_:)``.
  public func delete(_ name: ObjectID) throws {
    guard let entity = core.entity(named: name.entityName) else {
      throw StoreError.unknownEntity(name.entityName)
    }
    guard entity.canHaveID(name.id) else { throw StoreError.notFound(name) }
    try core.delete(entity, id: name.id)
  }

  // MARK: Writing many

  /// Inserts objects, all or none.
  ///
  /// - Throws: ``StoreError/alreadyExists(_:)``, ``StoreError/notANumber(_:attribute:)``.
  public func insert<E: Entity>(contentsOf objects: some Sequence<E>) throws {
    let core = core
    let entity = E.schema.entity
    try core.savepoint {
      for object in objects { try core.insert(EntityRow(object), of: entity, replacing: false) }
    }
  }

  /// Puts objects in the place of those with their ids, all or none.
  ///
  /// Of several with one id the last one stays.
  ///
  /// - Throws: ``StoreError/notFound(_:)``, ``StoreError/notANumber(_:attribute:)``.
  public func update<E: Entity>(contentsOf objects: some Sequence<E>) throws {
    let core = core
    try core.savepoint {
      for object in objects { try core.update(EntityRow(object)) }
    }
  }

  /// Deletes the objects with the ids of others, all or none.
  ///
  /// - Throws: ``StoreError/notFound(_:)``, also if one is named twice.
  public func delete<E: Entity>(contentsOf objects: some Sequence<E>) throws {
    let core = core
    try core.savepoint {
      for object in objects { try core.delete(E.schema.entity, id: E.schema.stored(object.id)) }
    }
  }

  /// Inserts objects, or puts them in the place of those with their ids, all or none.
  ///
  /// Of several with one id the last one stays.
  ///
  /// - Throws: ``StoreError/notANumber(_:attribute:)``.
  public func upsert<E: Entity>(contentsOf objects: some Sequence<E>) throws {
    let core = core
    try core.savepoint {
      for object in objects { try core.insert(EntityRow(object), replacing: true) }
    }
  }

  /// Inserts an object, or gives its attributes to the one with the same values of a unique key.
  ///
  ///     let stored = try draft.upsert(Car(id: UUID(), plate: "AB 12", year: 1962), by: \.plate)
  ///
  /// The one that is there keeps its id. If the key is nil, there is none.
  ///
  /// - Returns: the object as it is stored.
  /// - Throws: ``StoreError/notANumber(_:attribute:)``.
  /// - Precondition: the attributes are a unique key of the entity.
  @discardableResult
  public func upsert<E: Entity, each Value: Storable>(
    _ object: E, by key: repeat KeyPath<E, each Value>
  ) throws -> E {
    let core = core
    var columns: Set<Int> = []
    for path in repeat each key { columns.insert(E.schema.entity.column(path)) }
    let row = try place(of: object, by: E.schema.entity.uniqueKey(of: columns)).row
    try core.insert(row, replacing: true)
    return row.uncheckedValue(as: E.self)
  }

  /// The row that an object becomes, with the id of the one that has its key, and whether there is one.
  private func place<E: Entity>(
    of object: E, by key: [Int]
  ) throws -> (row: EntityRow, isThere: Bool) {
    let entity = E.schema.entity
    let row = EntityRow(object)
    try row.checkNumbers()
    let values = row.values(at: key)
    if values.contains(where: \.isNull) { return (row, false) }
    let ids = try core.ids(of: entity, where: key, equal: values)
    // In a draft two objects may have one key for a while; the object itself goes first.
    guard let id = ids.contains(row.id) ? row.id : ids.min() else { return (row, false) }
    return (id == row.id ? row : try row.setting(entity.identity, to: id), true)
  }

  /// Inserts objects, or gives their attributes to those with the same values of a unique key, all or none.
  ///
  ///     try draft.upsert(contentsOf: answer.cars, by: \.plate)
  ///
  /// Of several with one key the last one stays, under the id of the first or of the one that was there. One whose key
  /// is new, or nil, is written under its own id, and so takes the place of an object that had that id before the call.
  ///
  /// - Throws: ``StoreError/notANumber(_:attribute:)``; ``StoreError/alreadyExists(_:)`` for one with a new key and the
  ///   id of another one of these, which would be lost by it.
  /// - Precondition: the attributes are a unique key of the entity.
  public func upsert<E: Entity, each Value: Storable>(
    contentsOf objects: some Sequence<E>, by key: repeat KeyPath<E, each Value>
  ) throws {
    let core = core
    var columns: Set<Int> = []
    for path in repeat each key { columns.insert(E.schema.entity.column(path)) }
    let key = E.schema.entity.uniqueKey(of: columns)
    var written: Set<StoredValue> = []
    try core.savepoint {
      for object in objects {
        let (row, isThere) = try place(of: object, by: key)
        let isFirst = written.insert(row.id).inserted
        if !isFirst && !isThere { throw StoreError.alreadyExists(row.objectID) }
        try core.insert(row, replacing: true)
      }
    }
  }

  /// Changes all objects of a query in place, all or none.
  ///
  /// - Returns: how many there are.
  /// - Throws: ``StoreError/idChanged(_:to:)``, ``StoreError/notANumber(_:attribute:)``,
  ///   ``StoreError/notFound(_:)`` for an object that `body` has deleted, or what `body` throws.
  @discardableResult
  public func updateAll<E: Entity>(_ query: Query<E>, _ body: (inout E) throws -> Void) throws
    -> Int
  {
    let core = core
    let rows = try core.fetch(FetchPlan(query.description))
    try core.savepoint {
      for row in rows {
        let update = try core.beginUpdate(E.schema.entity, id: row.row.id)
        do {
          var object = update.row.uncheckedValue(as: E.self)
          try body(&object)
          try core.finish(update, with: EntityRow(object))
        } catch {
          core.abort(update)
          throw error
        }
      }
    }
    return rows.count
  }

  /// Deletes all objects of a query, or none.
  ///
  /// - Returns: how many there were.
  /// - Throws: what reading them throws.
  @discardableResult
  public func deleteAll<E: Entity>(_ query: Query<E>) throws -> Int {
    let core = core
    let rows = try core.fetch(FetchPlan(query.description))
    try core.savepoint {
      for row in rows { try core.delete(E.schema.entity, id: row.row.id) }
    }
    return rows.count
  }

  /// Deletes all objects of an entity.
  ///
  /// - Returns: how many there were.
  /// - Throws: what reading them throws.
  @discardableResult
  public func deleteAll<E: Entity>(_ type: E.Type) throws -> Int { try deleteAll(Query<E>()) }

  // MARK: Reading

  /// Runs `body` with a reader that shows what the draft has written.
  ///
  /// - Precondition: the reader is used inside `body` only.
  public func withStorageReader<Result>(_ body: (any StorageReader) throws -> Result) throws
    -> Result
  { try body(core) }

  /// The entity with a name, or nil if it isn't among those of the store.
  public func entity(named name: String) -> EntityDescription? { core.entity(named: name) }
}
