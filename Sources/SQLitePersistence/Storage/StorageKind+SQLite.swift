public import EntityStore

extension StorageKind {
  /// The SQLite file at `path`, which is made if it isn't there, and migrated to the schemas if it doesn't
  /// fit them.
  ///
  /// - Parameters:
  ///   - path: where the file is.
  ///   - durability: what a returned commit survives.
  ///   - watching: how it is noticed that others have written to the file.
  ///   - overwritesDeleted: whether what this store deletes from the file's pages is overwritten with zeros, at the
  ///     cost of more writing. The file's log keeps old values all the same, until newer commits push them out, and
  ///     so do copies: see `Store.eraseDeleted()`. If it is false, the system's SQLite decides.
  ///   - migrations: the named migrations, in the order in which they run.
  ///   - progress: is told of each step of a migration, on the thread that opens the store, while the
  ///     file is locked for writing. If it throws, the migration is cancelled: opening throws a fault of
  ///     the kind ``/EntityStore/StorageFault/Kind/cancelled``, and the file is as it was.
  /// - Returns: the kind.
  public static func sqlite(
    path: String, durability: Durability = .full, watching: FileWatching = .automatic,
    overwritesDeleted: Bool = false, migrations: [Migration] = [],
    progress: (@Sendable (MigrationProgress) throws -> Void)? = nil
  ) -> StorageKind {
    .custom {
      try SQLiteStorage(
        path: path, durability: durability, watching: watching,
        overwritesDeleted: overwritesDeleted, migrations: migrations, progress: progress)
    }
  }
}
