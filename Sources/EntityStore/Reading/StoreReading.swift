internal import Locking

/// A version that can be read: a store's last one, that of a `read`, a snapshot, or a draft.
///
/// A draft is read with its own writes.
///
///     try store.fetch(query)
///     try store.read { try $0.fetch(query) }
///     try store.commit { draft in try draft.fetch(query) }
///     try store.snapshot().fetch(query)
///
/// Every method that reads also throws ``StoreError/unknownEntity(_:)`` if the store wasn't opened
/// with the entity. It also throws the errors of the storage: ``StoreError/storage(_:)``, or
/// ``StoreError/unreadable(_:attribute:found:)`` for a value that isn't of its attribute's type.
public protocol StoreReading: ~Copyable {
  /// Runs `body` with a reader of one version.
  ///
  /// - Returns: the result of `body`.
  /// - Throws: the error that `body` throws, or ``StoreError`` if the storage can't be read.
  @_spi(Storage)
  func withStorageReader<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result

  /// Returns the entity with a name, or nil if the store doesn't have it.
  @_spi(Storage) func entity(named name: String) -> EntityDescription?

  /// The instant at which conditions of time are evaluated, in seconds since 1970.
  @_spi(Storage) var instant: Double { get }
}

extension StoreReading where Self: ~Copyable {
  /// Returns a plan as a storage's reader understands it: without conditions of time.
  package func pinned(_ plan: FetchPlan, for reader: any StorageReader) -> FetchPlan {
    if !plan.isTimed || reader is any PinningReader { return plan }
    return plan.pinned(at: instant)
  }
}

extension StoreReading where Self: ~Copyable {
  // MARK: One object

  /// Returns the object with an id, or nil.
  ///
  /// - Throws: ``StoreError`` if the object can't be read.
  ///
  /// - Complexity: O(1) on average in memory, O(log *n*) in a file, where *n* is the number of
  ///   objects.
  public func find<E: Entity>(_ type: E.Type, _ id: E.ID) throws -> E? {
    try withStorageReader {
      try $0.row(of: E.schema.entity, id: E.schema.stored(id))?.uncheckedValue(as: E.self)
    }
  }

  /// Returns the object of a reference, or nil.
  ///
  /// - Throws: ``StoreError`` if the object can't be read.
  public func find<E: Entity>(_ reference: Ref<E>) throws -> E? {
    try find(E.self, reference.id)
  }

  /// Returns the object with a name, or nil.
  ///
  /// - Throws: ``StoreError/unknownEntity(_:)`` if the store doesn't have its entity, or
  ///   ``StoreError`` if the object can't be read.
  public func find(_ name: ObjectID) throws -> (any Entity)? {
    guard let entity = entity(named: name.entityName) else {
      throw StoreError.unknownEntity(name.entityName)
    }
    guard entity.canHaveID(name.id) else { return nil }
    return try withStorageReader { try $0.row(of: entity, id: name.id)?.anyValue }
  }

  /// Returns the object with these values of a unique key, or nil.
  ///
  ///     try store.find(Car.self, by: (\.plate, "AB 12"))
  ///     try store.find(Car.self, by: (\.model, "Beetle"), (\.year, 1962))
  ///
  /// - Precondition: the attributes are a unique key of the entity.
  /// - Throws: ``StoreError`` if the object can't be read.
  /// - Complexity: O(log *n*), where *n* is the number of objects.
  public func find<E: Entity, each Value: Storable>(
    _ type: E.Type, by part: repeat (KeyPath<E, each Value>, each Value)
  ) throws -> E? {
    let entity = E.schema.entity
    var values: [Int: StoredValue] = [:]
    for (path, value) in repeat each part {
      let column = entity.column(path)
      // An id with parts is stored as these, even if its type is storable.
      let id = column == entity.identity ? entity.storedID(of: value) : nil
      values[column] = id ?? value.storedValue
    }
    let key = entity.uniqueKey(of: Set(values.keys))
    let wanted = key.compactMap { values[$0] }
    // No object can be found by nil, and none can have NaN.
    if wanted.contains(where: { $0.isNull || $0.isNaN }) { return nil }
    return try withStorageReader { reader in
      // In a draft, two objects may have the same key for a while. The one with the lower id is
      // returned each time.
      guard let id = try reader.ids(of: entity, where: key, equal: wanted).min() else { return nil }
      return try reader.row(of: entity, id: id)?.uncheckedValue(as: E.self)
    }
  }

  // MARK: Many objects

  /// Returns the objects of a query, in its order.
  ///
  /// - Throws: ``StoreError`` if the objects can't be read.
  @inlinable public func fetch<E: Entity>(_ query: Query<E>) throws -> [E] {
    var objects: [E] = []
    try _forEachRow(query) { rows in
      objects.reserveCapacity(rows.count)
      for index in 0..<rows.count { objects.append(rows._object(at: index)) }
    } row: {
      objects.append($0.assumingMemoryBound(to: E.self).pointee)
    }
    return objects
  }

  @usableFromInline func _forEachRow<E>(
    _ query: Query<E>, rows: (InlinedRows) -> Void, row: (UnsafeRawPointer) -> Void
  ) throws {
    try withStorageReader { reader in
      let plan = pinned(FetchPlan(query.description), for: reader)
      if query.description.isFromEnd {
        return rows(InlinedRows(rows: try reader.rows(plan).reversed()))
      }
      // A file makes its rows for this caller, which needs only the objects.
      let isDone = try reader.forEachRow(plan) { found in
        withExtendedLifetime(found.box) { row(found.unsafeObject) }
      }
      if isDone { return }
      rows(InlinedRows(rows: try reader.rows(plan)))
    }
  }

  /// Returns the first object of a query, or nil.
  ///
  /// - Throws: ``StoreError`` if the object can't be read.
  /// - Complexity: O(*n*), where *n* is the number of objects; with an index on the first attribute
  ///   of the order, usually O(log *n*). Of a query with `.last(m)`, all *m* objects are fetched.
  public func first<E: Entity>(_ query: Query<E>) throws -> E? {
    if query.description.isFromEnd { return try fetch(query).first }
    let limit = Swift.min(query.description.limit ?? 1, 1)
    return try fetch(query.limit(limit, offset: query.description.offset)).first
  }

  /// Returns the number of objects of a query.
  ///
  /// - Throws: ``StoreError`` if the objects can't be read.
  /// - Complexity: O(1) in memory without a condition. With a condition, O(*n*), where *n* is the
  ///   number of objects that an index leaves, or of all. In a file, SQLite's `COUNT` passes over
  ///   that many.
  public func count<E: Entity>(_ query: Query<E>) throws -> Int {
    let query = query.description
    let all = try withStorageReader {
      try $0.count(query.entity, where: pinned(FetchPlan(query), for: $0).filter)
    }
    let rest = Swift.max(0, all - query.offset)
    return Swift.min(rest, query.limit ?? rest)
  }

  // MARK: Related objects

  /// Returns the objects that refer to an owner, in the order of the relationship, or of ids.
  ///
  ///     try store.fetch(\.cars, of: ann)
  ///
  /// - Complexity: O(*m* log *m*) for *m* objects, and O(log *n*) to find them among *n*.
  /// - Throws: ``StoreError`` if the objects can't be read.
  public func fetch<Owner: Entity, Target: Entity>(
    _ path: KeyPath<Owner, Many<Owner, Target>>, of owner: Owner
  ) throws -> [Target] {
    let plan = owner[keyPath: path].plan(Ref(owner), at: path)
    return try withStorageReader { try $0.objects(pinned(plan, for: $0)) }
  }

  /// Returns the objects that refer to an owner, or none if the owner doesn't exist.
  ///
  /// - Throws: ``StoreError`` if the objects can't be read.
  public func fetch<Owner: Entity, Target: Entity>(
    _ path: KeyPath<Owner, Many<Owner, Target>>, of owner: Ref<Owner>
  ) throws -> [Target] {
    guard let owner = try find(owner) else { return [] }
    return try fetch(path, of: owner)
  }

  /// Returns the objects on the other side of a join entity: many-to-many.
  ///
  ///     struct Enrollment: Entity { … var student: Ref<Student>; var course: Ref<Course> … }
  ///     extension Student { var enrollments: Many<Student, Enrollment> { Many(\.student) } }
  ///     try store.fetch(\.enrollments, \.course, of: ann)   // [Course]
  ///
  /// They are in the order of the relationship to the join entity, each as often as it is joined.
  /// Objects that don't exist are left out.
  ///
  /// - Throws: ``StoreError`` if the objects can't be read.
  ///
  /// - Complexity: O(*m* log *m*) for *m* join objects, O(log *n*) to find them among *n*, and a
  ///   search by id for each. On a server, up to 512 are read together.
  public func fetch<Owner: Entity, Join: Entity, Target: Entity>(
    _ path: KeyPath<Owner, Many<Owner, Join>>, _ target: KeyPath<Join, Ref<Target>>, of owner: Owner
  ) throws -> [Target] {
    try targets(owner[keyPath: path].plan(Ref(owner), at: path), Join.schema.entity.column(target))
  }

  /// Returns the objects on the other side of a join entity whose reference to them may be nil.
  ///
  /// They are in the order of the relationship to the join entity, each as often as it is joined.
  ///
  /// - Throws: ``StoreError`` if the objects can't be read.
  public func fetch<Owner: Entity, Join: Entity, Target: Entity>(
    _ path: KeyPath<Owner, Many<Owner, Join>>, _ target: KeyPath<Join, Ref<Target>?>,
    of owner: Owner
  ) throws -> [Target] {
    try targets(owner[keyPath: path].plan(Ref(owner), at: path), Join.schema.entity.column(target))
  }

  /// Returns the objects on the other side of a join entity, or none if the owner doesn't exist.
  ///
  /// - Throws: ``StoreError`` if the objects can't be read.
  public func fetch<Owner: Entity, Join: Entity, Target: Entity>(
    _ path: KeyPath<Owner, Many<Owner, Join>>, _ target: KeyPath<Join, Ref<Target>>,
    of owner: Ref<Owner>
  ) throws -> [Target] {
    guard let owner = try find(owner) else { return [] }
    return try fetch(path, target, of: owner)
  }

  /// Returns the objects on the other side of a join entity whose reference to them may be nil.
  ///
  /// It returns none if the owner doesn't exist.
  ///
  /// - Throws: ``StoreError`` if the objects can't be read.
  public func fetch<Owner: Entity, Join: Entity, Target: Entity>(
    _ path: KeyPath<Owner, Many<Owner, Join>>, _ target: KeyPath<Join, Ref<Target>?>,
    of owner: Ref<Owner>
  ) throws -> [Target] {
    guard let owner = try find(owner) else { return [] }
    return try fetch(path, target, of: owner)
  }

  /// Returns the existing objects that a column of the plan's rows refers to.
  private func targets<Target: Entity>(_ plan: FetchPlan, _ column: Int) throws -> [Target] {
    try withStorageReader { reader in
      let joins = try reader.rows(pinned(plan, for: reader))
      let ids = joins.map { $0.value(at: column) }.filter { !$0.isNull }
      let entity = Target.schema.entity
      try (reader as? any AheadReader)?.readAhead(ids, of: entity)
      let rows = try SharedReader(over: reader, isInMemory: true).rows(of: entity, ids: ids)
      return rows.compactMap { $0?.uncheckedValue(as: Target.self) }
    }
  }
}

extension Many {
  /// Returns the plan that finds the objects of an owner; `property` is the owner's property.
  fileprivate func plan(_ owner: Ref<Owner>, at property: AnyKeyPath) -> FetchPlan {
    let target = Target.schema.entity
    target.checkInverse(at: property, madeOf: path)
    let id = owner.storedValue
    let isOwn = QueryExpression.comparison(
      .equal, .column(target.column(path), of: target), .constant(id))
    // No object refers to the id NaN, which a file would read as nil.
    return FetchPlan(of: target, where: id.isNaN ? .or([]) : isOwn, by: order)
  }
}

extension StorageReader {
  fileprivate func objects<E: Entity>(_ plan: FetchPlan) throws -> [E] {
    try rows(plan).map { $0.uncheckedValue(as: E.self) }
  }
}

extension EntityDescription {
  /// Returns the unique key of some attributes, in the key's own order.
  func uniqueKey(of columns: Set<Int>) -> [Int] {
    if let key = uniqueKeys.first(where: { Set($0) == columns }) { return key }
    mustHold(
      columns != [identity],
      "An object of \(name) is looked for by its id as by a unique key; use find(\(name).self, id)")
    let names = columns.sorted().map { self.columns[$0].name }.joined(separator: ", ")
    mistake(
      "\(names) is no unique key of \(name); declare .unique in its schema, or use a query")
  }
}
