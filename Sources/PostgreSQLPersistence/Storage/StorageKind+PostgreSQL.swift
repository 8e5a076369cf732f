#if PostgreSQL
@_spi(Storage) public import EntityStore

extension StorageKind {
  /// Returns the storage in a schema of a PostgreSQL database.
  ///
  ///     let store = try Store(.postgreSQL("postgresql://app@db/app"), entities: [Dog.self])
  ///
  /// - Parameters:
  ///   - connectionString: a connection string of libpq. A password belongs into a password file.
  ///   - pooler: the connection string of a pooler in transaction mode, such as PgBouncer, to the
  ///     same database. Reads and commits go through it then. Each store keeps one connection to
  ///     the server itself, on which it follows the commits of others.
  ///   - schema: the schema of the store's tables, which is created if it doesn't exist.
  ///   - durability: the failures that a returned commit survives.
  ///   - waiting: the time to wait for other writers.
  ///   - attempts: the number of times that a commit's body may run. If another program's
  ///     transaction is in the way of a commit, the commit is undone. With 1 it throws a fault of
  ///     the kind `conflict` then. With more, the store runs the body again, so it must have no
  ///     effect outside of its draft.
  ///   - readers: the greatest number of connections for reads. Another read waits for one of them,
  ///     for `waiting` at most. A read inside of a read doesn't wait, nor does one for which
  ///     commits wait, as when the store merges commits of others.
  ///   - migrations: the named migrations, in the order in which they run.
  ///   - progress: receives each step of a migration, on the thread that opens the store, while
  ///     others wait to write. If it throws, opening throws a fault of the kind
  ///     ``/EntityStore/StorageFault/Kind/cancelled``, and nothing has changed.
  /// - Returns: the kind.
  /// - Precondition: the schema's name has 1 to 63 bytes, `waiting` is from a millisecond to 24
  ///   days, and `attempts` and `readers` are 1 or more.
  public static func postgreSQL(
    _ connectionString: String, pooler: String? = nil, schema: String = "signalbox",
    durability: ServerDurability = .full, waiting: Duration = .seconds(10), attempts: Int = 1,
    readers: Int = 8, migrations: [Migration] = [],
    progress: (@Sendable (Migration.Progress) throws -> Void)? = nil
  ) -> StorageKind {
    .custom {
      PostgreSQLStorage(
        connectionString, pooler: pooler, schema: schema, durability: durability,
        waiting: waiting, attempts: attempts, readers: readers,
        migrations: migrations, progress: progress)
    }
  }
}
#endif
