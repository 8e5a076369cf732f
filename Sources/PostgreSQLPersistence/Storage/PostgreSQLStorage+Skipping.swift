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

  // A commit marks its thread in the same way.
  package func merging<R>(_ body: () throws -> R) rethrows -> R {
    readers.beginUrgent()
    defer { readers.endUrgent() }
    return try body()
  }
}
#endif
