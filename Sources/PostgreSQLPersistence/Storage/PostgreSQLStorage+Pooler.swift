#if PostgreSQL
@_spi(Storage) internal import EntityStore
internal import Locking

extension PostgreSQLStorage {
  /// Begins a commit by way of a pooler, with the writers' lock.
  ///
  /// While it waits for the lock, it holds none of the pooler's sessions, which readers need.
  ///
  /// - Throws: ``/EntityStore/StoreError/storage(_:)``, if the lock isn't free in time.
  func beginPooled(_ connection: ServerStoreConnection) throws {
    let clock = ContinuousClock()
    let end = clock.now + .milliseconds(waiting)
    while true {
      connection.enqueue(connection.own.beginCommit)
      for setting in connection.own.settings { connection.enqueue(setting) }
      if try connection.run(connection.own.tryLock).integer(0, 0) != 0 { return }
      connection.rollBack()
      guard clock.now < end else {
        throw StoreError.storage(
          ServerFault.otherWriter(of: connection.place, while: connection.operation))
      }
      WakeUp().sleep(for: .microseconds(.random(in: 500...5000)))
    }
  }
}
#endif
