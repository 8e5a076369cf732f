/// One version of a storage.
public protocol StorageReader: AnyObject {
  /// The version.
  var version: Int64 { get }

  /// What tells a version from another one of that number, or nil if the storage doesn't know it any more.
  ///
  /// The store asks for it when it takes a version in, and again before it takes in the next: where somebody has put
  /// back an older copy and others have gone on from there, it reads anew.
  func mark(of version: Int64) throws -> StorageMark?

  /// What has changed on net from a version to this one, or nil if the storage doesn't know.
  ///
  /// The store asks for it when somebody else has committed. What isn't known is read anew.
  func changes(since version: Int64, of entities: Set<EntityDescription>) throws -> NetChanges?

  /// The object with an id, or nil.
  func row(of entity: EntityDescription, id: StoredValue) throws -> EntityRow?

  /// The ids of the objects whose attributes at `columns` are `values`, in no order. Asked for
  /// references and unique keys.
  func ids(of entity: EntityDescription, where columns: [Int], equal values: [StoredValue]) throws
    -> [StoredValue]

  /// The objects that a request asks for, in its order.
  func fetch(_ request: FetchPlan) throws -> [FetchedRow]

  /// The same without the plan's values.
  func rows(_ request: FetchPlan) throws -> [EntityRow]

  /// Calls `body` with each object that a request asks for, in its order, as it is read, or does
  /// nothing if all are at hand or have to be read before the first can be given.
  ///
  /// - Returns: whether it has.
  func forEachRow(_ request: FetchPlan, _ body: (EntityRow) throws -> Void) throws -> Bool

  /// How many objects meet a condition.
  func count(_ entity: EntityDescription, where filter: QueryExpression?) throws -> Int

  /// The number under which the storage keeps the object with an id, or nil if it isn't there.
  ///
  /// An object that isn't written to keeps its number; the number of one that has gone may be given to
  /// another. In a storage that others write to, too, a whole number that is an id is the object's number.
  ///
  /// - Throws: ``StoreError/rowNumbersUnsupported`` if the storage has none.
  func rowNumber(of entity: EntityDescription, id: StoredValue) throws -> Int64?

  /// The objects with some row numbers, in their order; nil where there is none.
  ///
  /// - Throws: ``StoreError/rowNumbersUnsupported`` if the storage has none.
  func rows(of entity: EntityDescription, numbered numbers: [Int64]) throws -> [EntityRow?]

  /// Calls `body` with the row number and the values of each object that a request asks for, in its
  /// order, and keeps no object.
  ///
  /// - Throws: ``StoreError/rowNumbersUnsupported`` if the storage has none, and
  ///   ``StoreError/notIndexable(entity:part:)`` if it would have to read whole objects; and what `body`
  ///   throws.
  /// - Precondition: the request has no limit and no offset.
  func forEachRowNumber(
    _ request: FetchPlan, _ body: (_ number: Int64, _ values: [StoredValue]) throws -> Void) throws

  /// How a request is answered: which part the storage's own language does, and which is done here.
  func explain(_ request: FetchPlan) throws -> QueryPlan
}

extension StorageReader {
  /// Always the same, for storages that nobody else writes to.
  public func mark(of version: Int64) throws -> StorageMark? { StorageMark() }

  /// Not known, for storages that keep no log.
  public func changes(since version: Int64, of entities: Set<EntityDescription>) throws
    -> NetChanges?
  { nil }

  /// The objects that a request asks for, in its order.
  public func rows(_ request: FetchPlan) throws -> [EntityRow] { try fetch(request).map(\.row) }

  /// Nothing.
  public func forEachRow(
    _ request: FetchPlan, _ body: (EntityRow) throws -> Void
  ) throws -> Bool { false }

  /// Throws, for storages that number no rows.
  public func rowNumber(of entity: EntityDescription, id: StoredValue) throws -> Int64? {
    throw StoreError.rowNumbersUnsupported
  }

  /// Throws, for storages that number no rows.
  public func rows(of entity: EntityDescription, numbered numbers: [Int64]) throws -> [EntityRow?] {
    throw StoreError.rowNumbersUnsupported
  }

  /// Throws, for storages that number no rows.
  public func forEachRowNumber(
    _ request: FetchPlan, _ body: (_ number: Int64, _ values: [StoredValue]) throws -> Void
  ) throws { throw StoreError.rowNumbersUnsupported }
}
