/// Where a store keeps its objects.
///
/// The store asks for one commit at a time; reads may come from any thread at any time.
public protocol Storage: AnyObject, Sendable {
  /// Makes the storage ready for `entities` and gives the version it is at.
  ///
  /// Called once, before anything else.
  ///
  /// - Throws: ``StoreError/storage(_:)`` if it can't be opened or doesn't fit.
  func open(_ entities: [EntityDescription]) throws -> Int64

  /// Opens a commit: from here on nobody else writes.
  func begin() throws -> any StorageTransaction

  /// Runs `body` with a reader that sees one version throughout, the last committed one.
  ///
  /// It never waits for a commit. The reader is not used after `body` has returned; a storage of your
  /// own does well to refuse it.
  func read<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result

  /// Waits until the commit that made a version survives what the storage promises, and so all before it.
  ///
  /// It is called once a transaction's `commit()` has returned, from many threads at once, while others may
  /// write: a storage can do for all what is dear, such as a sync.
  ///
  /// - Throws: ``StoreError/outcomeUnknown(version:fault:)`` if it can't say whether it does.
  func makeDurable(_ version: Int64) throws

  /// The object with an id in the last committed version, or nil.
  func row(of entity: EntityDescription, id: StoredValue) throws -> EntityRow?

  /// The last committed version, for as long as it is held, or nil if the storage keeps none.
  func snapshot() throws -> (any StorageSnapshot)?

  /// Calls `body` when somebody else may have committed, until what this returns is let go of.
  ///
  /// `body` takes in what has been committed. It is called again only when it has returned, and wants no
  /// lock to be held. The storage doesn't call it any more, and has let go of what it needed for it, once
  /// what is returned has gone.
  ///
  /// - Parameters:
  ///   - body: is given the last version, and says whether there was anything new; if it throws, it is to
  ///     be called again.
  ///   - failed: is to be called with why it can't be said whether others have committed, or what `body`
  ///     throws: once until that is over, and with no lock held.
  /// - Returns: nil if nobody else commits, or the storage can't tell.
  func follow(
    _ body: @escaping @Sendable (_ version: Int64) async throws -> Bool,
    failed: @escaping @Sendable (any Error) -> Void
  ) -> (any AnyObject & Sendable)?
}

/// What tells a version of a storage from another one of the same number.
public struct StorageMark: Hashable, Sendable {
  /// A number that was drawn for the version.
  public var token: Int64
  /// What the tables are like as far as it keeps the storage from telling all that others change: where it is another
  /// one by now, nothing is known.
  public var layout: Int64

  /// A mark; those of storages that nobody else writes to are all the same.
  public init(token: Int64 = 0, layout: Int64 = 0) { (self.token, self.layout) = (token, layout) }
}

/// A storage that is a file.
package protocol FileStorage: Storage {
  /// Where the file is.
  var filePath: String { get }
  /// The mark of the version that `open` has given.
  var firstMark: StorageMark { get }
  /// Whether somebody may have made a table again, with other rows, since the same version had an earlier mark.
  func isMadeAgain(_ mark: StorageMark, since earlier: StorageMark) -> Bool
  /// Makes a version that changes nothing and has a number after that of another one.
  func skip(past version: Int64) throws
}

extension Storage {
  /// Does nothing, for storages whose transactions are durable when their `commit()` returns.
  public func makeDurable(_ version: Int64) throws {}

  /// The object with an id in the last committed version, or nil.
  public func row(of entity: EntityDescription, id: StoredValue) throws -> EntityRow? {
    try read { try $0.row(of: entity, id: id) }
  }

  /// None.
  public func snapshot() throws -> (any StorageSnapshot)? { nil }

  /// Calls nobody, for storages that nobody else writes to.
  public func follow(
    _ body: @escaping @Sendable (_ version: Int64) async throws -> Bool,
    failed: @escaping @Sendable (any Error) -> Void
  ) -> (any AnyObject & Sendable)? { nil }
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
    throw StoreError.keepsNoRowNumbers
  }

  /// Throws, for storages that number no rows.
  public func rows(of entity: EntityDescription, numbered numbers: [Int64]) throws -> [EntityRow?] {
    throw StoreError.keepsNoRowNumbers
  }

  /// Throws, for storages that number no rows.
  public func forEachRowNumber(
    _ request: FetchPlan, _ body: (_ number: Int64, _ values: [StoredValue]) throws -> Void
  ) throws { throw StoreError.keepsNoRowNumbers }
}

extension StorageTransaction {
  /// Not kept: the store remembers the ids for as long as it lives, and then begins with the highest of the
  /// objects that are there.
  public func lastID(of entity: EntityDescription) throws -> Int64? { nil }

  /// Does nothing, for storages that don't keep them.
  public func keep(lastIDs: [EntityDescription: Int64]) throws {}
}

/// One version of a storage that can be kept and read at any time, from any thread.
public protocol StorageSnapshot: AnyObject, Sendable {
  /// The version.
  var version: Int64 { get }

  /// Runs `body` with a reader of the version.
  func read<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result
}

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
  /// - Throws: ``StoreError/keepsNoRowNumbers`` if the storage has none.
  func rowNumber(of entity: EntityDescription, id: StoredValue) throws -> Int64?

  /// The objects with some row numbers, in their order; nil where there is none.
  ///
  /// - Throws: ``StoreError/keepsNoRowNumbers`` if the storage has none.
  func rows(of entity: EntityDescription, numbered numbers: [Int64]) throws -> [EntityRow?]

  /// Calls `body` with the row number and the values of each object that a request asks for, in its
  /// order, and keeps no object.
  ///
  /// - Throws: ``StoreError/keepsNoRowNumbers`` if the storage has none, and
  ///   ``StoreError/notIndexable(entity:part:)`` if it would have to read whole objects; and what `body`
  ///   throws.
  /// - Precondition: the request has no limit and no offset.
  func forEachRowNumber(
    _ request: FetchPlan, _ body: (_ number: Int64, _ values: [StoredValue]) throws -> Void) throws

  /// How a request is answered: which part the storage's own language does, and which is done here.
  func explain(_ request: FetchPlan) throws -> QueryPlan
}

/// A commit on its way into a storage.
///
/// As a reader it sees what it has written. Its `version` is the one before the commit until
/// `apply(_:)`, and the commit's own after that.
public protocol StorageTransaction: StorageReader {
  /// The highest number that has been the id of one of an entity's objects, deleted ones included, or has been
  /// kept by ``keep(lastIDs:)``: 0 if there is none, and nil if the storage doesn't keep it.
  ///
  /// Asked for `Draft.nextID(_:)`, of entities whose ids are whole numbers.
  func lastID(of entity: EntityDescription) throws -> Int64?

  /// Notes the last ids that the commit was given, which `apply(_:)` is to write: no commit is given them
  /// again.
  func keep(lastIDs: [EntityDescription: Int64]) throws

  /// Writes the net changes of the commit, which the store has judged.
  func apply(_ changes: NetChanges) throws

  /// Makes the commit one that readers see, and durable, unless `makeDurable(_:)` does that.
  ///
  /// - Throws: ``StoreError/outcomeUnknown(version:fault:)`` if it can't say whether it is; any other
  ///   error means that it isn't. Either way the transaction is over.
  func commit() throws

  /// Undoes everything. The transaction is over.
  func rollBack()
}
