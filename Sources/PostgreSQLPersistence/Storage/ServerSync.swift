#if PostgreSQL
internal import CPostgreSQL
@_spi(Storage) internal import EntityStore
internal import Locking

/// An object that waits until commits are on the server's disk, once for all that wait for it.
///
/// A commit releases the writers' lock before it is on the disk. Then its thread waits here. The
/// first one has the server write everything that has been committed by then; the others share the
/// next time. So many writers need few writes to the disk.
final class ServerSync: Sendable {
  private struct State: @unchecked Sendable {
    // @unchecked: only the thread that has set `isSyncing` uses the connection.
    var connection: StoreConnection?
    /// The last version that is on the disk.
    var synced = Int64.min
    /// True if a thread waits for the server.
    var isSyncing = false
    /// The tokens of this store's commits that aren't on the disk yet.
    var tokens: [Int64: Int64] = [:]
    /// The last version that was committed.
    var committed = Int64.min
  }

  /// The statement after which everything that was committed before it is on the disk.
  ///
  /// A transaction that writes nothing to the log isn't waited for. A message to nobody is the
  /// least that it can write.
  private static let sync = "SELECT pg_logical_emit_message(TRUE, 'signalbox', '')"

  private let state = Monitor(State())
  private let connect: @Sendable () throws -> StoreConnection

  init(_ connect: @escaping @Sendable () throws -> StoreConnection) { self.connect = connect }

  /// True if a thread waits for the disk.
  var isSyncing: Bool { state.change { $0.isSyncing } }

  /// Notes a commit; if it is on the disk, so are those before it.
  func noteCommitted(_ version: Int64, _ token: Int64, isSynced: Bool) {
    state.change { state in
      state.committed = version
      if isSynced {
        state.synced = version
        state.tokens = [:]
      } else {
        state.tokens[version] = token
      }
    }
  }

  /// Waits until a version is on the disk.
  ///
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if the server has lost the version, and
  ///   ``/EntityStore/StoreError/outcomeUnknown(version:fault:)`` if it can't be reached.
  func sync(_ version: Int64) throws {
    let leading = state.wait { state -> State?? in
      if state.synced >= version { return .some(nil) }
      if state.isSyncing { return nil }
      state.isSyncing = true
      return state
    }
    guard let leading else { return }
    var reached = Int64.min
    var connection = leading.connection
    defer {
      state.change { state in
        state.isSyncing = false
        state.connection = connection
        state.synced = max(reached, state.synced)
        state.tokens = state.tokens.filter { $0.key > state.synced }
      }
    }
    if let known = connection {
      known.operation = "waiting for the disk"
      if (try? known.run(Self.sync, [])) != nil {
        reached = max(leading.committed, version)
        return
      }
      connection = nil
    }
    (connection, reached) = try syncAnew(version, leading)
  }

  /// Connects, and syncs the commits that the server still has.
  private func syncAnew(
    _ version: Int64, _ state: State
  ) throws -> (StoreConnection, reached: Int64) {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(20)
    while true {
      do {
        let connection = try connect()
        connection.operation = "waiting for the disk"
        for version in [max(state.committed, version), version] {
          // A server that has crashed may have lost the last commits.
          if let token = state.tokens[version] {
            let found = try connection.run(
              connection.own.isThere, UnsafeParameters([.integer(version), .integer(token)]))
            if found.rowCount == 0 { continue }
          }
          try connection.run(Self.sync, [])
          return (connection, version)
        }
        throw Lost(place: connection.place)
      } catch let lost as Lost {
        throw StoreError.storage(
          StorageFault(
            .inputOutput,
            "\(lost.place): the server has crashed and lost version \(version); make the commit again",
            operation: "waiting for the disk"))
      } catch let error {
        if clock.now < end {
          WakeUp().sleep(for: .milliseconds(100))
          continue
        }
        guard case StoreError.storage(let fault) = error else { throw error }
        throw StoreError.outcomeUnknown(version: version, fault: fault)
      }
    }
  }

  private struct Lost: Error {
    let place: ServerPlace
  }
}
#endif
