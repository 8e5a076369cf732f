internal import Locking

/// The object through which the body of a commit reads and writes.
///
///     try store.commit { draft in
///       try draft.insert(car)
///       try draft.update(Car.self, id) { $0.year = 1994 }
///     }
///
/// Reads show what the draft has written. Uniqueness, references and delete rules are validated
/// when the outermost commit ends, on the net change. Until then they may be broken.
///
/// Every method that writes or reads also throws ``StoreError/unknownEntity(_:)`` if the store
/// wasn't opened with the entity. It also throws the errors of the storage:
/// ``StoreError/storage(_:)``, or ``StoreError/unreadable(_:attribute:found:)`` for a value that
/// isn't of its attribute's type.
///
/// - Precondition: a draft is used only inside its commit's body.
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
    try _insert(TypedRow.make(object), E.schema._entity)
  }

  /// Inserts an object, or replaces the one with its id.
  ///
  /// - Throws: ``StoreError/notANumber(_:attribute:)``.
  public func upsert<E: Entity>(_ object: E) throws {
    try core.insert(EntityRow(object), replacing: true)
  }

  /// Replaces the object that has the same id.
  ///
  ///     guard var car = try draft.find(Car.self, id) else { return }
  ///     car.year = 1994
  ///     try draft.update(car)
  ///
  /// All its attributes are written, including those that another commit has changed since the
  /// object was read. If the object was read before the commit, use ``update(_:_:_:)`` to change
  /// only some attributes.
  ///
  /// - Throws: ``StoreError/notFound(_:)``, ``StoreError/notANumber(_:attribute:)``.
  public func update<E: Entity>(_ object: E) throws { try core.update(EntityRow(object)) }

  /// Changes an object in place, and returns the result of `body`.
  ///
  /// The attributes that `body` changes are written. If code that `body` runs writes to the same
  /// object, that code's values of all other attributes are kept. If the method throws, nothing has
  /// changed.
  ///
  /// - Throws: ``StoreError/notFound(_:)``, ``StoreError/idChanged(_:to:)``,
  ///   ``StoreError/notANumber(_:attribute:)``, or the error that `body` throws.
  @discardableResult @inlinable
  public func update<E: Entity, Result>(
    _ type: E.Type, _ id: E.ID, _ body: (inout E) throws -> Result
  ) throws -> Result {
    let schema = E.schema
    let update = try _beginUpdate(schema._entity, schema.stored(id))
    var object: E = update._box._object()
    let result: Result
    do { result = try body(&object) } catch {
      _abort(update.journalCount)
      throw error
    }
    try _finish(update, TypedRow.make(object))
    return result
  }

  /// Changes the object of a reference in place, and returns the result of `body`.
  ///
  /// If the method throws, nothing has changed.
  ///
  /// - Throws: the same errors as ``update(_:_:_:)``.
  @discardableResult @inlinable
  public func update<E: Entity, Result>(
    _ reference: Ref<E>, _ body: (inout E) throws -> Result
  ) throws -> Result { try update(E.self, reference.id, body) }

  // These functions aren't generic. So code that is inlined into an app calls functions that are
  // compiled once.

  @usableFromInline func _insert(_ box: RowBox, _ entity: InlinedEntity) throws {
    try core.insert(EntityRow(box), of: entity.description, replacing: false)
  }

  @usableFromInline func _beginUpdate(
    _ entity: InlinedEntity, _ id: StoredValue
  ) throws -> DraftUpdate { try core.beginUpdate(entity.description, id: id) }

  @usableFromInline func _finish(
    _ update: consuming DraftUpdate, _ box: consuming RowBox
  ) throws { try core.finish(update, with: EntityRow(box)) }

  @usableFromInline func _abort(_ journalCount: Int) { openCore.abort(journalCount) }

  /// Deletes an object.
  ///
  /// The delete rules of references to it are carried out when the commit ends.
  ///
  /// - Throws: ``StoreError/notFound(_:)``.
  public func delete<E: Entity>(_ type: E.Type, _ id: E.ID) throws {
    try core.delete(E.schema.entity, id: E.schema.stored(id))
  }

  /// Deletes the stored object that has the id of `object`, even if its values differ.
  ///
  ///     for car in try draft.fetch(Query<Car>().filter { $0.year < 1990 }) {
  ///       try draft.delete(car)
  ///     }
  ///
  /// The delete rules of references to it are carried out when the commit ends.
  ///
  /// - Throws: ``StoreError/notFound(_:)``.
  public func delete<E: Entity>(_ object: E) throws { try delete(E.self, object.id) }

  /// Deletes the object of a reference.
  ///
  /// The delete rules of references to it are carried out when the commit ends.
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
    try forEach(objects) {
      try core.insert(EntityRow($0), of: entity, replacing: false)
    }
  }

  /// Replaces the objects that have the same ids, all or none.
  ///
  /// If several have the same id, the last one stays.
  ///
  /// - Throws: ``StoreError/notFound(_:)``, ``StoreError/notANumber(_:attribute:)``.
  public func update<E: Entity>(contentsOf objects: some Sequence<E>) throws {
    let core = core
    try forEach(objects) { try core.update(EntityRow($0)) }
  }

  /// Deletes the stored objects that have the ids of `objects`, all or none.
  ///
  /// - Throws: ``StoreError/notFound(_:)``, also if an id occurs twice.
  public func delete<E: Entity>(contentsOf objects: some Sequence<E>) throws {
    let core = core
    try forEach(objects) { try core.delete(E.schema.entity, id: E.schema.stored($0.id)) }
  }

  /// Inserts objects, or replaces those with their ids, all or none.
  ///
  /// If several have the same id, the last one stays.
  ///
  /// - Throws: ``StoreError/notANumber(_:attribute:)``.
  public func upsert<E: Entity>(contentsOf objects: some Sequence<E>) throws {
    let core = core
    try forEach(objects) { try core.insert(EntityRow($0), replacing: true) }
  }

  /// Calls `body` with each object, which a storage far away reads together before, and undoes all
  /// writes if it throws.
  private func forEach<E: Entity>(_ objects: some Sequence<E>, _ body: (E) throws -> Void) throws {
    let core = core
    try core.savepoint {
      guard core.base.readsAhead else {
        for object in objects { try body(object) }
        return
      }
      let objects = Array(objects)
      try core.base.readAhead(
        objects.map { E.schema.stored($0.id) }, of: E.schema.entity, keepsOthers: false)
      for object in objects { try body(object) }
    }
  }

  /// Inserts an object, or updates the one with the same values of a unique key.
  ///
  ///     let stored = try draft.upsert(Car(id: UUID(), plate: "AB 12", year: 1962), by: \.plate)
  ///
  /// The existing object keeps its id. If a value of the key is nil, no existing object matches. An
  /// object whose key is new or nil is written under its own id, and replaces an object that has
  /// this id.
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
    let row = try place(of: EntityRow(object), by: E.schema.entity.uniqueKey(of: columns)).row
    try core.insert(row, replacing: true)
    return row.uncheckedValue(as: E.self)
  }

  /// Returns the row that an object becomes, and whether an object with its key exists.
  ///
  /// If one exists, the row has its id.
  private func place(of row: EntityRow, by key: [Int]) throws -> (row: EntityRow, isThere: Bool) {
    let entity = row.entity
    try row.checkNumbers()
    let values = row.values(at: key)
    if values.contains(where: \.isNull) { return (row, false) }
    let ids = try core.ids(of: entity, where: key, equal: values)
    // In a draft, two objects may have the same key for a while. The object itself is preferred.
    guard let id = ids.contains(row.id) ? row.id : ids.min() else { return (row, false) }
    return (id == row.id ? row : try row.setting(entity.identity, to: id), true)
  }

  /// Inserts objects, or updates those with the same values of a unique key, all or none.
  ///
  ///     try draft.upsert(contentsOf: answer.cars, by: \.plate)
  ///
  /// If several have the same key, the last one stays. It gets the id of the existing object, or
  /// else the id of the first one. An object whose key is new or nil is written under its own id.
  /// So it replaces an object that had that id before the call.
  ///
  /// On a server, the objects with the same values of one attribute are read together. If the key
  /// has several attributes, each object is looked up, which is a round trip.
  ///
  /// - Throws: ``StoreError/notANumber(_:attribute:)``, or ``StoreError/alreadyExists(_:)`` for an
  ///   object that has a new key and the id of another object of this call, which would be lost.
  /// - Precondition: the attributes are a unique key of the entity.
  public func upsert<E: Entity, each Value: Storable>(
    contentsOf objects: some Sequence<E>, by key: repeat KeyPath<E, each Value>
  ) throws {
    let core = core
    var columns: Set<Int> = []
    for path in repeat each key { columns.insert(E.schema.entity.column(path)) }
    let key = E.schema.entity.uniqueKey(of: columns)
    try core.savepoint { try write(objects, by: key) }
  }

  private func write<E: Entity>(_ objects: some Sequence<E>, by key: [Int]) throws {
    let core = core
    var written: Set<StoredValue> = []
    guard core.base.readsAhead else {
      for object in objects { try write(EntityRow(object), by: key, &written) }
      return
    }
    let rows = objects.map { EntityRow($0) }
    try core.readAhead(rows, by: key, of: E.schema.entity)
    for row in rows { try write(row, by: key, &written) }
  }

  private func write(_ object: EntityRow, by key: [Int], _ written: inout Set<StoredValue>) throws {
    let (row, isThere) = try place(of: object, by: key)
    let isFirst = written.insert(row.id).inserted
    if !isFirst && !isThere { throw StoreError.alreadyExists(row.objectID) }
    try core.insert(row, replacing: true)
  }

  /// Changes all objects of a query in place, all or none.
  ///
  /// - Returns: the number of objects.
  /// - Throws: ``StoreError/idChanged(_:to:)``, ``StoreError/notANumber(_:attribute:)``,
  ///   ``StoreError/notFound(_:)`` for an object that `body` has deleted, or the error that `body`
  ///   throws.
  @discardableResult
  public func updateAll<E: Entity>(_ query: Query<E>, _ body: (inout E) throws -> Void) throws
    -> Int
  {
    let core = core
    let found = try core.fetch(pinned(FetchPlan(query.description), for: core))
    // A plan reads the last objects of a query backwards.
    let rows = query.description.isFromEnd ? found.reversed() : found
    try core.savepoint {
      for row in rows {
        let update = try core.beginUpdate(row.row, of: E.schema.entity)
        var object = update.row.uncheckedValue(as: E.self)
        do { try body(&object) } catch {
          core.abort(update.journalCount)
          throw error
        }
        try core.finish(update, with: EntityRow(object))
      }
    }
    return rows.count
  }

  /// Deletes all objects of a query, or none.
  ///
  /// - Returns: the number of deleted objects.
  /// - Throws: ``StoreError`` if the objects can't be read.
  @discardableResult
  public func deleteAll<E: Entity>(_ query: Query<E>) throws -> Int {
    let core = core
    let rows = try core.fetch(pinned(FetchPlan(query.description), for: core))
    try core.savepoint {
      for row in rows { try core.delete(row.row, of: E.schema.entity) }
    }
    return rows.count
  }

  /// Deletes all objects of an entity.
  ///
  /// - Returns: the number of deleted objects.
  /// - Throws: ``StoreError`` if the objects can't be read.
  @discardableResult
  public func deleteAll<E: Entity>(_ type: E.Type) throws -> Int { try deleteAll(Query<E>()) }

  // MARK: Reading

  /// Runs `body` with a reader that shows what the draft has written.
  ///
  /// - Returns: the result of `body`.
  /// - Throws: the error that `body` throws.
  ///
  /// - Precondition: the reader is used only inside `body`.
  @_spi(Storage)
  public func withStorageReader<Result>(_ body: (any StorageReader) throws -> Result) throws
    -> Result
  { try body(core) }

  /// Returns the entity with a name, or nil if the store doesn't have it.
  @_spi(Storage) public func entity(named name: String) -> EntityDescription? {
    core.entity(named: name)
  }

  /// The time at which the draft first evaluated a condition of time.
  @_spi(Storage) public var instant: Double { core.instant }
}
