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

extension StorageTransaction {
  /// Not kept: the store remembers the ids for as long as it lives, and then begins with the highest of the
  /// objects that are there.
  public func lastID(of entity: EntityDescription) throws -> Int64? { nil }

  /// Does nothing, for storages that don't keep them.
  public func keep(lastIDs: [EntityDescription: Int64]) throws {}
}
