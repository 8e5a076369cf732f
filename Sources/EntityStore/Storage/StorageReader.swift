/// A reader of one version of a storage.
///
///     let row = try storage.read { reader in try reader.row(of: entity, id: id) }
@_spi(Storage) public protocol StorageReader: AnyObject {
  /// The version.
  var version: Int64 { get }

  /// True if reading many objects at once costs much less than reading one after another.
  ///
  /// Then the store asks for the objects together that it is about to read, where it knows them:
  /// by `rows(_:)` with a condition that is a list, and by `readAhead(_:of:)` of a transaction.
  var readsAhead: Bool { get }

  /// Returns the object with an id, or nil.
  ///
  /// - Throws: ``StoreError`` if reading fails.
  func row(of entity: EntityDescription, id: StoredValue) throws -> EntityRow?

  /// Returns the ids of the objects whose attributes at `columns` are `values`, in no order.
  ///
  /// It is called for references and unique keys.
  ///
  /// - Throws: ``StoreError`` if reading fails.
  func ids(of entity: EntityDescription, where columns: [Int], equal values: [StoredValue]) throws
    -> [StoredValue]

  /// Returns the objects of a request, in its order.
  ///
  /// - Throws: ``StoreError`` if reading fails.
  func fetch(_ request: FetchPlan) throws -> [FetchedRow]

  /// Returns the objects of a request, in its order, without the plan's values.
  ///
  /// - Throws: ``StoreError`` if reading fails.
  func rows(_ request: FetchPlan) throws -> [EntityRow]

  /// Calls `body` with the plan's values of each object of a request, in its order.
  ///
  /// Nothing else of the objects is needed.
  ///
  /// - Throws: ``StoreError`` if reading fails, or the error that `body` throws.
  func forEachValues(_ request: FetchPlan, _ body: ([StoredValue]) throws -> Void) throws

  /// Calls `body` with each object of a request, in its order, as soon as it is read.
  ///
  /// It does nothing if all objects are in memory, or if all have to be read before the first one
  /// is known.
  ///
  /// - Returns: true if it has called `body` with the objects, false if it has done nothing.
  /// - Throws: ``StoreError`` if reading fails, or the error that `body` throws.
  func forEachRow(_ request: FetchPlan, _ body: (EntityRow) throws -> Void) throws -> Bool

  /// Returns the number of objects that meet a condition.
  ///
  /// - Throws: ``StoreError`` if reading fails.
  func count(_ entity: EntityDescription, where filter: QueryExpression?) throws -> Int

  /// Returns the number of words of the indexed texts of all objects, or nil if it isn't known.
  ///
  /// - Throws: ``StoreError`` if reading fails.
  func wordCount(of entity: EntityDescription) throws -> Int?

  /// Returns how a request is answered: by the storage's own language, or here.
  ///
  /// - Throws: ``StoreError`` if reading fails.
  func explain(_ request: FetchPlan) throws -> QueryPlan

  /// Runs `body`, so that an error of its reads prevents no later reads.
  ///
  /// The store calls it for each model that a commit or the time concerns, and the model reads in
  /// `body`. In a transaction, that is after `apply(_:)`, or before it for commits of others.
  /// Everything that was written before must stay. If the reader can't go on, later reads and
  /// `commit()` throw.
  ///
  /// - Returns: the result of `body`.
  func isolating<Result>(_ body: () -> Result) -> Result

  /// This reader as one that finds rows by their numbers, or nil if the storage doesn't number
  /// rows.
  var rowNumberReader: (any RowNumberReader)? { get }

  /// This reader as one that understands SQL, or nil if the storage doesn't.
  var sqlReader: (any SQLReader)? { get }

  /// This reader as one that knows external commits, or nil if nobody else writes to the storage.
  var externalChangeReader: (any ExternalChangeReader)? { get }
}

@_spi(Storage) extension StorageReader {
  /// Returns the objects of a request, in its order.
  ///
  /// - Throws: ``StoreError`` if reading fails.
  public func rows(_ request: FetchPlan) throws -> [EntityRow] { try fetch(request).map(\.row) }

  /// Calls `body` with the plan's values of each object of a request, after all have been read.
  ///
  /// - Throws: ``StoreError`` if reading fails, or the error that `body` throws.
  public func forEachValues(
    _ request: FetchPlan, _ body: ([StoredValue]) throws -> Void
  ) throws {
    for row in try fetch(request) { try body(row.values) }
  }

  /// Does nothing, and returns false.
  ///
  /// - Throws: no error.
  public func forEachRow(
    _ request: FetchPlan, _ body: (EntityRow) throws -> Void
  ) throws -> Bool { false }

  /// The value false, for storages whose objects are near.
  public var readsAhead: Bool { false }

  /// Returns nil, for storages without an index of words.
  ///
  /// - Throws: no error.
  public func wordCount(of entity: EntityDescription) throws -> Int? { nil }

  /// Runs `body`, for storages that can be read on after an error.
  ///
  /// - Returns: the result of `body`.
  public func isolating<Result>(_ body: () -> Result) -> Result { body() }

  /// The value nil, for storages that don't number rows.
  public var rowNumberReader: (any RowNumberReader)? { nil }

  /// The value nil, for storages that nobody else writes to.
  public var externalChangeReader: (any ExternalChangeReader)? { nil }
}
