#if PostgreSQL
@_spi(Storage) internal import EntityStore
internal import Locking

/// The connections for reads, of which there is a greatest number.
///
/// A thread that finds all of them in use waits for one, unless it uses one itself: a read inside
/// of a read would wait for itself.
final class ReaderPool: Sendable {
  private struct State: @unchecked Sendable {
    // @unchecked: a connection isn't `Sendable`. The monitor gives each to one thread.
    var idle: [ServerStoreConnection] = []
    var inUse = 0
    /// The number of connections that each thread uses.
    var byThread: [Int: Int] = [:]
    /// How often each thread has begun what commits wait for: a commit, a merge of others' commits,
    /// or a read between two commits.
    ///
    /// Such a thread doesn't wait: others, who may have connections, wait for it.
    var urgent: [Int: Int] = [:]
    /// True if a thread gets a connection only if it uses one, or has begun something urgent.
    var isClosed = false
  }

  private static let mostIdle = 4

  private let state = Monitor(State())
  private let most: Int
  private let waiting: Duration

  init(atMost most: Int, waiting: Duration) {
    self.most = most
    self.waiting = waiting
  }

  var inUse: Int { state.change { $0.inUse } }

  /// Takes a connection for one thread.
  ///
  /// A connection that was lost while nobody used it is replaced.
  ///
  /// - Throws: an error of `connect`, and ``/EntityStore/StoreError/storage(_:)`` if all are in use
  ///   for too long, or if the pool is closed.
  func take(_ connect: () throws -> ServerStoreConnection) throws -> ServerStoreConnection {
    try waitForRoom()
    do {
      while let connection = state.change({ $0.idle.popLast() }) {
        if connection.isAlive() { return connection }
      }
      return try connect()
    } catch {
      state.change { Self.release(&$0) }
      throw error
    }
  }

  private func waitForRoom() throws {
    let clock = ContinuousClock()
    let end = clock.now + waiting
    let thread = CurrentThread.token
    while true {
      var (hasRoom, isClosed) = (false, false)
      state.wait(atMost: end - clock.now) { state in
        let isNeeded = state.byThread[thread] != nil || state.urgent[thread] != nil
        isClosed = state.isClosed && !isNeeded
        hasRoom = isNeeded || state.inUse < most && !isClosed
        if hasRoom {
          state.inUse += 1
          state.byThread[thread, default: 0] += 1
        }
        return hasRoom || isClosed
      }
      if hasRoom { return }
      if isClosed { throw StoreError.storage(.closed(path: nil)) }
      if clock.now >= end {
        throw StoreError.fault(
          .busy,
          "All \(most) connections for reads are in use for too long; end reads sooner, or allow more",
          operation: "reading")
      }
    }
  }

  /// Lets no other read begin, also none that waits for its turn, and waits for those that run.
  func close() {
    state.change { $0.isClosed = true }
    _ = state.wait { state -> Bool? in state.inUse == 0 ? true : nil }
  }

  /// Lets the calling thread take connections beyond the greatest number, until `endUrgent`.
  ///
  /// Calls may be nested.
  func beginUrgent() { state.change { $0.urgent[CurrentThread.token, default: 0] += 1 } }

  /// Ends what one call of `beginUrgent` on the same thread has begun.
  func endUrgent() { state.change { Self.takeOne(&$0.urgent) } }

  private static func release(_ state: inout State) {
    state.inUse -= 1
    takeOne(&state.byThread)
  }

  /// Lowers the calling thread's count.
  private static func takeOne(_ counts: inout [Int: Int]) {
    let thread = CurrentThread.token
    let left = (counts[thread] ?? 1) - 1
    counts[thread] = left == 0 ? nil : left
  }

  /// Gives a connection back, on the thread that has taken it; it is kept if it can be used again.
  func giveBack(_ connection: ServerStoreConnection, isUsable: Bool) {
    state.change { state in
      Self.release(&state)
      if isUsable && connection.isSound && state.idle.count < min(Self.mostIdle, most) {
        connection.transactionFault = nil
        state.idle.append(connection)
      }
    }
  }
}
#endif
