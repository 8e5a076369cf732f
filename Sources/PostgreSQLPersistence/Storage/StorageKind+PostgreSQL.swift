#if PostgreSQL
@_spi(Storage) public import EntityStore

extension StorageKind {
  /// Returns the storage in a schema of a PostgreSQL database.
  ///
  ///     let store = try Store(.postgreSQL("postgresql://app@db/app"), entities: [Dog.self])
  ///
  /// - Parameters:
  ///   - connectionString: a connection string of libpq. A password belongs into a password file.
  ///   - schema: the schema of the store's tables, which is created if it doesn't exist.
  ///   - durability: the failures that a returned commit survives.
  ///   - waiting: the time to wait for other writers.
  ///   - attempts: the number of times that a commit's body may run. If another program's
  ///     transaction is in the way of a commit, the commit is undone. With 1 it throws a fault of
  ///     the kind `conflict` then. With more, the store runs the body again, so it must have no
  ///     effect outside of its draft.
  /// - Returns: the kind.
  /// - Precondition: the schema's name has 1 to 63 bytes, `waiting` is a millisecond or more, and
  ///   `attempts` is 1 or more.
  public static func postgreSQL(
    _ connectionString: String, schema: String = "signalbox", durability: ServerDurability = .full,
    waiting: Duration = .seconds(10), attempts: Int = 1
  ) -> StorageKind {
    .custom {
      PostgreSQLStorage(
        connectionString, schema: schema, durability: durability, waiting: waiting,
        attempts: attempts)
    }
  }
}
#endif
