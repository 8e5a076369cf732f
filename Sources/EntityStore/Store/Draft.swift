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
/// - Precondition: a draft is used inside its commit's body only.
public struct Draft: ~Copyable {
  private let openCore: DraftCore

  init(_ core: DraftCore) { openCore = core }

  private var core: DraftCore {
    precondition(
      openCore.isOpen, "A draft is used after its commit; do the work inside the commit's body")
    return openCore
  }

  // MARK: Writing

  /// Inserts an object.
  ///
  /// - Throws: ``StoreError/alreadyExists(_:)``, ``StoreError/notANumber(_:attribute:)``.
  public func insert<E: Entity>(_ object: E) throws {
    try core.insert(EntityRow(object), replacing: false)
  }

  /// Inserts an object, or puts it in the place of the one with its id.
  ///
  /// - Throws: ``StoreError/notANumber(_:attribute:)``.
  public func upsert<E: Entity>(_ object: E) throws {
    try core.insert(EntityRow(object), replacing: true)
  }

  /// Changes an object in place, and gives what `body` returns.
  ///
  /// If it throws, nothing has changed.
  ///
  /// - Throws: ``StoreError/notFound(_:)``, ``StoreError/idChanged(_:to:)``,
  ///   ``StoreError/notANumber(_:attribute:)``, or what `body` throws.
  @discardableResult
  public func update<E: Entity, Result>(
    _ type: E.Type, _ id: E.ID, _ body: (inout E) throws -> Result
  ) throws -> Result {
    try core.update(E.schema.entity, id: E.schema.stored(id), { ObjectID(E.self, id) }) { row in
      var object = row.value(as: E.self)
      let result = try body(&object)
      return (EntityRow(object), result)
    }
  }

  /// Deletes an object.
  ///
  /// What refers to it follows its delete rule when the commit ends.
  ///
  /// - Throws: ``StoreError/notFound(_:)``.
  public func delete<E: Entity>(_ type: E.Type, _ id: E.ID) throws {
    try core.delete(E.schema.entity, id: E.schema.stored(id))
  }

  // MARK: Reading

  /// The object with an id, with what the draft has written, or nil.
  public func find<E: Entity>(_ type: E.Type, _ id: E.ID) throws -> E? {
    try core.row(of: E.schema.entity, id: E.schema.stored(id))?.value(as: E.self)
  }

  /// The objects of a query, with what the draft has written.
  public func fetch<E: Entity>(_ query: Query<E>) throws -> [E] {
    try core.fetch(FetchPlan(query.description)).map { $0.row.value(as: E.self) }
  }

  /// How many objects meet a query's condition, with what the draft has written.
  public func count<E: Entity>(_ query: Query<E>) throws -> Int {
    try core.count(E.schema.entity, where: query.description.filter)
  }
}
