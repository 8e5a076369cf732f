@_spi(Storage) public import EntityStore

extension StorageKind {
  /// Returns the storage of the SQLite file at `path`.
  ///
  /// The file is created if it doesn't exist, and migrated to the schemas if it doesn't fit them,
  /// unless `access` is `.readOnly`.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - access: `.readOnly` for a store that never writes, such as a widget's. The parameters
  ///     about writing have no effect then, and `busyTimeout` is the time for which it waits while
  ///     another process is just opening or closing the file. `migrations` is needed as in the app:
  ///     nothing runs, but the list shows whether the file fits.
  ///   - key: returns the key of an encrypted file. It is called once, as the file is opened, and
  ///     the key is kept in memory for as long as the store is. It needs the package's trait
  ///     `SQLCipher`. Without a key, the file isn't encrypted.
  ///   - durability: the failures that a returned commit survives.
  ///   - watching: the way in which the store notices that others have written to the file.
  ///   - busyTimeout: the time for which a commit waits while another process writes. After it, the
  ///     commit throws a fault of the kind `busy`, its body hasn't run, and nothing of it is kept.
  ///     With 0, it throws at once. Opening, `eraseDeleted()` and the like wait as long. Reads
  ///     don't wait for writers.
  ///   - overwritesDeleted: true to overwrite with zeros what this store deletes from the file's
  ///     pages, at the cost of more writing. The file's change log still keeps old values, until
  ///     newer commits push them out, and so do copies: see `Store.eraseDeleted()`. An index of
  ///     words keeps the words of deleted texts until SQLite merges its parts. If it is false, the
  ///     system's SQLite decides.
  ///   - historyLimit: the number of commits with a name that the file keeps, so that they can be
  ///     undone after it is reopened. The store's `historyLimit` begins with it. A commit whose old
  ///     or new values have more than 4 MB isn't kept, and neither are those before it.
  ///   - migrations: the named migrations, in the order in which they run. Each program that opens
  ///     the file needs the same list.
  ///   - progress: receives each step of a migration, on the thread that opens the store, while the
  ///     file is locked for writing. If it throws, the migration is cancelled: opening throws a
  ///     fault of the kind ``/EntityStore/StorageFault/Kind/cancelled``, and the file is as it was.
  /// - Returns: the kind.
  /// - Precondition: `historyLimit` isn't negative, and `busyTimeout` is from 0 to 24 days.
  public static func sqlite(
    path: String, access: StorageKind.FileAccess = .readWrite,
    key: (@Sendable () throws -> EncryptionKey)? = nil,
    durability: Durability = .full, watching: StorageKind.FileWatching = .automatic,
    busyTimeout: Duration = .seconds(5), overwritesDeleted: Bool = false, historyLimit: Int = 0,
    migrations: [Migration] = [],
    progress: (@Sendable (Migration.Progress) throws -> Void)? = nil
  ) -> StorageKind {
    .custom {
      try SQLiteStorage(
        path: path, access: access, key: key, durability: durability, watching: watching,
        busyTimeout: busyTimeout, overwritesDeleted: overwritesDeleted, historyLimit: historyLimit,
        migrations: migrations,
        progress: progress)
    }
  }
}
