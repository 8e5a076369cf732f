internal import CMicroHTTPD
internal import Foundation
internal import WebFeeds

/// The part of a server that its exchanges share.
final class HTTPCore: @unchecked Sendable {
  // @unchecked: the lock protects all variables.
  let options: HTTPOptions
  let headers: [WebAnswer.Header]
  let handle: @Sendable (HTTPRequest) -> HTTPReply
  private let lock = NSLock()
  private var exchanges: [ObjectIdentifier: Exchange] = [:]
  /// The connections that owe a request, with their sockets, and since when.
  private var idle: [OpaquePointer: (socket: Int32, since: ContinuousClock.Instant)] = [:]
  private var ends = false

  init(
    _ options: HTTPOptions, _ headers: [WebAnswer.Header],
    _ handle: @escaping @Sendable (HTTPRequest) -> HTTPReply
  ) {
    self.options = options
    self.headers = headers
    self.handle = handle
  }

  /// True if the server is stopping.
  var isEnding: Bool { lock.withLock { ends } }

  /// The number of requests that are being answered, with the streams.
  var count: Int { lock.withLock { exchanges.count } }

  func begin(_ exchange: Exchange) {
    lock.withLock { exchanges[ObjectIdentifier(exchange)] = exchange }
  }

  func end(_ exchange: Exchange) {
    lock.withLock { exchanges[ObjectIdentifier(exchange)] = nil }
    exchange.end()
  }

  // MARK: Connections

  /// A connection is open, and owes a request from now on.
  func owes(_ connection: OpaquePointer) {
    lock.withLock { idle[connection] = (http_socket(connection), .now) }
  }

  /// A connection has sent its request, or is closed.
  func owesNothing(_ connection: OpaquePointer) { lock.withLock { idle[connection] = nil } }

  /// Wakes who has waited long enough, and closes the connections that send nothing, or a byte now
  /// and then.
  func look() {
    let now = ContinuousClock.now
    let all = lock.withLock {
      for (socket, since) in idle.values where now - since > options.requestTime {
        // The library notices, and closes it.
        shutdown(socket, Int32(SHUT_RDWR))
      }
      return Array(exchanges.values)
    }
    for exchange in all { exchange.look(at: now) }
  }

  /// Cuts the connections of all exchanges, for clients that take nothing.
  func cut() {
    for exchange in lock.withLock({ Array(exchanges.values) }) { exchange.cut() }
  }

  /// Ends all exchanges.
  func stop() {
    let all = lock.withLock {
      ends = true
      return Array(exchanges.values)
    }
    for exchange in all { exchange.wake() }
  }
}
