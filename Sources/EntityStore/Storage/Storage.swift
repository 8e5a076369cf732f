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
  /// It never waits for a commit. The reader is not used after `body` has returned.
  func read<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result
}

/// One version of a storage.
public protocol StorageReader: AnyObject {
  /// The version.
  var version: Int64 { get }

  /// The object with an id, or nil.
  func row(of entity: EntityDescription, id: StoredValue) throws -> EntityRow?

  /// The ids of the objects whose attributes at `columns` are `values`, in no order. Asked for
  /// references and unique keys.
  func ids(of entity: EntityDescription, where columns: [Int], equal values: [StoredValue]) throws
    -> [StoredValue]

  /// The objects that a request asks for, in its order.
  func fetch(_ request: FetchPlan) throws -> [FetchedRow]

  /// How many objects meet a condition.
  func count(_ entity: EntityDescription, where filter: QueryExpression?) throws -> Int
}

/// What a storage is asked for.
public struct FetchPlan: Sendable {
  /// What the objects are.
  public let entity: EntityDescription
  /// The condition, or nil for all.
  public let filter: QueryExpression?
  /// The order.
  ///
  /// The last key is the id, so that no two objects are equal in it.
  public let order: [SortKey]
  /// What to evaluate for each object besides.
  public let values: [QueryExpression]

  /// The plan of a query, with `values` for each object.
  package init(_ query: QueryDescription, values: [QueryExpression] = []) {
    entity = query.entity
    filter = query.filter
    order = query.fullOrder
    self.values = values
  }
}

/// One object that a storage found.
public struct FetchedRow: Sendable {
  /// The object.
  public let row: EntityRow
  /// What the plan's `values` are for it.
  public let values: [StoredValue]

  /// An object with its values.
  public init(row: EntityRow, values: [StoredValue]) {
    self.row = row
    self.values = values
  }
}

/// A commit on its way into a storage.
///
/// As a reader it sees what it has written. Its `version` is the one before the commit until
/// `apply(_:)`, and the commit's own after that.
public protocol StorageTransaction: StorageReader {
  /// Writes the net changes of the commit, which the store has judged.
  func apply(_ changes: NetChanges) throws

  /// Makes the commit durable.
  ///
  /// - Throws: ``StoreError/outcomeUnknown(version:)`` if it can't say whether it is; any other
  ///   error means that it isn't. Either way the transaction is over.
  func commit() throws

  /// Undoes everything. The transaction is over.
  func rollBack()
}
