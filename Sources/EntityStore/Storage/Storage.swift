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
