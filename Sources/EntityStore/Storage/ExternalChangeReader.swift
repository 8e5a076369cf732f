/// A reader of a storage to which others write, too: other processes, other stores or other tools.
///
///     final class MyReader: ExternalChangeReader {
///       var externalChangeReader: (any ExternalChangeReader)? { self }
///       …
///     }
@_spi(Storage) public protocol ExternalChangeReader: StorageReader {
  /// Returns the mark that distinguishes a version from another one with the same number.
  ///
  /// It returns nil if the storage doesn't know the version any more.
  ///
  /// The store reads the mark when it merges a version, and again before it merges the next one. If
  /// somebody has put back an older copy, and others have committed since, the marks differ and
  /// results are read again.
  ///
  /// - Throws: ``StoreError`` if reading fails.
  func mark(of version: Int64) throws -> StorageMark?

  /// Returns the net changes from a version to this one, or nil if the storage doesn't know them.
  ///
  /// The store calls this after an external commit. If the changes aren't known, results are read
  /// again.
  ///
  /// - Throws: ``StoreError`` if reading fails.
  func changes(since version: Int64, of entities: Set<EntityDescription>) throws -> NetChanges?
}

extension StorageReader {
  /// Returns the mark of a version, which is always the same if nobody else writes to the storage.
  package func externalMark(of version: Int64) throws -> StorageMark? {
    guard let reader = externalChangeReader else { return StorageMark() }
    return try reader.mark(of: version)
  }

  /// Returns the net changes from a version to this one, or nil if the storage doesn't know them.
  package func externalChanges(
    since version: Int64, of entities: Set<EntityDescription>
  ) throws -> NetChanges? {
    try externalChangeReader?.changes(since: version, of: entities)
  }
}
