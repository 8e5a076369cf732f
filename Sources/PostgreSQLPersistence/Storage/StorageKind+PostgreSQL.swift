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
  /// - Returns: the kind.
  /// - Precondition: the schema's name has 1 to 63 bytes, and `waiting` is a millisecond or more.
  public static func postgreSQL(
    _ connectionString: String, schema: String = "signalbox", durability: ServerDurability = .full,
    waiting: Duration = .seconds(10)
  ) -> StorageKind {
    .custom {
      PostgreSQLStorage(
        connectionString, schema: schema, durability: durability, waiting: waiting)
    }
  }
}
#endif
