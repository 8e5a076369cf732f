#if PostgreSQL
@_spi(Storage) internal import EntityStore
internal import Locking

/// An object that waits until commits are on the server's disk, once for all that wait for it.
///
/// A commit releases the writers' lock before it is on the disk. Then its thread waits here. The
/// first one has the server write everything that has been committed by then; the others share the
/// next time. So many writers need few writes to the disk.
///
/// A server that crashes meanwhile may lose a commit and give its version again. So a commit is
/// known by its token, and a later commit vouches for it only if both came over one connection,
/// which no crash survives.
final class ServerSync: Sendable {
  /// A commit of this store.
  struct Mark {
    let version: Int64
    let token: Int64
    /// The number of the connection over which it was made.
    let connection: Int
  }

  private struct State: @unchecked Sendable {
    // @unchecked: only the thread that has set `isSyncing` uses the connection.
    var connection: ServerStoreConnection?
    /// The last commit that is known to be on the disk.
    var synced: Mark? { didSet { seen = max(seen, synced?.version ?? seen) } }
    /// The highest version, of any store, that is known to be on the disk.
    var seen = Int64.min
    /// True if a thread waits for the server.
    var isSyncing = false
    /// The fault because of which the last thread that waited has given up, if it has.
    var fault: StorageFault?
    /// The last commit.
    var committed: Mark?
    /// The commits for which a thread is about to wait, by the threads that made them.
    var waiting: [Int: Mark] = [:]

    func isSynced(_ mark: Mark) -> Bool {
      synced.map { $0.connection == mark.connection && $0.version >= mark.version } ?? false
    }
  }

  /// The statement after which everything that was committed before it is on the disk.
  ///
  /// A transaction that writes nothing to the log isn't waited for. A message to nobody is the
  /// least that it can write.
  private static let sync = "SELECT pg_logical_emit_message(TRUE, 'signalbox', '')"

  private let state = Monitor(State())
  private let connect: @Sendable () throws -> ServerStoreConnection

  init(_ connect: @escaping @Sendable () throws -> ServerStoreConnection) { self.connect = connect }

  /// True if a thread waits for the disk.
  var isSyncing: Bool { state.change { $0.isSyncing } }

  /// Notes a commit of the calling thread; if it is on the disk, so are those before it.
  func noteCommitted(_ mark: Mark, isSynced: Bool) {
    state.change { state in
      state.committed = mark
      if isSynced { state.synced = mark } else { state.waiting[CurrentThread.token] = mark }
    }
  }

  /// Waits until the last commit of the calling thread is on the disk.
  ///
  /// If it has changed nothing, what it has seen is on the disk then.
  ///
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if the server has lost the version. If the
  ///   server can't be reached, ``/EntityStore/StoreError/outcomeUnknown(version:fault:)`` after
  ///   some time; if the commit has changed nothing, ``/EntityStore/StoreError/storage(_:)`` at
  ///   once. `outcomeUnknown`, too, if the change log doesn't reach back to the commit.
  func sync(_ version: Int64) throws {
    let thread = CurrentThread.token
    let noted = state.change { $0.waiting.removeValue(forKey: thread) }
    let own = noted?.version == version ? noted : nil
    let clock = ContinuousClock()
    // Each thread waits so long from here on, also behind one that fails.
    let end = clock.now + .seconds(20)
    var given: StorageFault?
    let leading = state.wait { state -> State?? in
      if let own {
        if state.isSynced(own) { return .some(nil) }
        // Another attempt may take long, and the thread has waited long enough.
        given = clock.now < end ? nil : state.fault
        if given != nil { return .some(nil) }
      } else if state.seen >= version {
        return .some(nil)
      }
      if state.isSyncing { return nil }
      state.isSyncing = true
      return state
    }
    if let given { throw StoreError.outcomeUnknown(version: version, fault: given) }
    guard let leading else { return }
    var fault: StorageFault?
    var reached: Mark?
    var seen = Int64.min
    var outcome = PostgreSQLStorage.Outcome.committed
    // A connection that was lost while nobody used it is replaced.
    var connection = leading.connection.flatMap { $0.isAlive() ? $0 : nil }
    defer {
      state.change { state in
        state.isSyncing = false
        state.fault = fault
        state.connection = connection
        // A later commit may have waited for the disk meanwhile, without this object.
        if let reached, !state.isSynced(reached) { state.synced = reached }
        state.seen = max(state.seen, seen)
      }
    }
    while true {
      do {
        let known = try connection ?? connect()
        connection = known
        known.operation = "waiting for the disk"
        let found = try Self.sync([leading.committed, own].compactMap(\.self), known)
        reached = found.first { $0.outcome == .committed }?.mark
        if own != nil {
          outcome = found.last?.outcome ?? .committed
        } else {
          // If the version that was seen is this store's own, the server knows whether it has it.
          if let seen = found.first, seen.mark.version == version { outcome = seen.outcome }
          if outcome == .committed { seen = version }
        }
        break
      } catch {
        connection = nil
        if own != nil, clock.now < end {
          WakeUp().sleep(for: .milliseconds(100))
          continue
        }
        // Without a commit of its own, nothing is left open.
        guard own != nil, case StoreError.storage(let last) = error else { throw error }
        fault = last
        throw StoreError.outcomeUnknown(version: version, fault: last)
      }
    }
    let (place, operation) = (connection?.place.description ?? "", "waiting for the disk")
    switch outcome {
    case .committed: return
    case .rolledBack:
      throw StoreError.fault(
        .inputOutput,
        "\(place): the server has crashed and lost version \(version); make the commit again",
        operation: operation)
    case .unknown:
      throw StoreError.outcomeUnknown(
        version: version,
        fault: StorageFault(
          .other, "\(place): it has made so many versions since that it doesn't know this one",
          operation: operation))
    }
  }

  /// Has the server write to its disk, and returns what has become of some commits, in order.
  private static func sync(
    _ marks: [Mark], _ connection: ServerStoreConnection
  ) throws -> [(mark: Mark, outcome: PostgreSQLStorage.Outcome)] {
    connection.enqueue(try connection.query(sync, []))
    var found: [(mark: Mark, outcome: PostgreSQLStorage.Outcome)] = []
    for mark in marks {
      connection.enqueue(
        connection.own.isThere, UnsafeParameters([.integer(mark.version), .integer(mark.token)])
      ) { found.append((mark, PostgreSQLStorage.Outcome($0))) }
    }
    _ = try connection.flush()
    return found
  }
}
#endif
