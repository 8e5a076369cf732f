#if PostgreSQL
@_spi(Storage) internal import EntityStore

// A crash may take back the last commits with `.normal`, and so may a restore or a failover. Stores
// that have seen them go on at a later version, so that no version goes down.
extension PostgreSQLStorage: SkippingStorage {
  package var mayLoseVersions: Bool { true }

  package func skip(past version: Int64) throws {
    let connection = try connect()
    connection.operation = "going on after lost commits"
    connection.enqueue(connection.own.beginCommit)
    connection.enqueue(connection.own.lock)
    connection.enqueue(
      connection.own.skip,
      UnsafeParameters([.integer(version), .integer(.random(in: .min ... .max))]))
    try connection.run(connection.own.commit)
  }

  // The store's lock keeps this apart from its commits, which mark their thread in the same way.
  package func merging<R>(_ body: () throws -> R) rethrows -> R {
    readers.beginWriting()
    defer { readers.endWriting() }
    return try body()
  }
}
#endif
