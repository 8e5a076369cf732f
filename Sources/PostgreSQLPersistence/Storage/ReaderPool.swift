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
    var idle: [StoreConnection] = []
    var inUse = 0
    /// The number of connections that each thread uses.
    var byThread: [Int: Int] = [:]
    /// The thread that commits, or merges commits of others.
    ///
    /// It doesn't wait: others, who may have connections, wait for it.
    var writer: Int?
  }

  private static let mostIdle = 4

  private let state = Monitor(State())
  private let most: Int
  private let waiting: Duration

  /// - Parameters:
  ///   - most: the greatest number of connections.
  ///   - waiting: the time to wait for one.
  init(atMost most: Int, waiting: Duration) {
    self.most = most
    self.waiting = waiting
  }

  /// The number of connections that are in use.
  var inUse: Int { state.change { $0.inUse } }

  /// Takes a connection for one thread.
  ///
  /// A connection that was lost while nobody used it is replaced.
  ///
  /// - Parameter connect: makes a connection.
  /// - Returns: the connection.
  /// - Throws: an error of `connect`, and ``/EntityStore/StoreError/storage(_:)`` if all are in use
  ///   for too long.
  func take(_ connect: () throws -> StoreConnection) throws -> StoreConnection {
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
      var hasRoom = false
      state.wait(atMost: end - clock.now) { state in
        hasRoom = state.inUse < most || state.byThread[thread] != nil || state.writer == thread
        if hasRoom {
          state.inUse += 1
          state.byThread[thread, default: 0] += 1
        }
        return hasRoom
      }
      if hasRoom { return }
      if clock.now >= end {
        throw StoreError.storage(
          StorageFault(
            .busy,
            "All \(most) connections for reads are in use for too long; end reads sooner, or allow more",
            operation: "reading"))
      }
    }
  }

  func beginWriting() { state.change { $0.writer = CurrentThread.token } }

  func endWriting() { state.change { $0.writer = nil } }

  private static func release(_ state: inout State) {
    state.inUse -= 1
    let thread = CurrentThread.token
    let left = (state.byThread[thread] ?? 1) - 1
    state.byThread[thread] = left == 0 ? nil : left
  }

  /// Gives a connection back, on the thread that has taken it; it is kept if it can be used again.
  func giveBack(_ connection: StoreConnection, isUsable: Bool) {
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
