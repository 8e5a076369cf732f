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
  /// The connections that owe a request, with their sockets, and how often `look` has seen each.
  private var idle: [OpaquePointer: (socket: Int32, looks: Int)] = [:]
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
    lock.withLock { idle[connection] = (http_socket(connection), 0) }
  }

  /// A connection has sent its request, or is closed.
  func owesNothing(_ connection: OpaquePointer) { lock.withLock { idle[connection] = nil } }

  /// Wakes who has waited long enough, and closes the connections that send nothing, or a byte now
  /// and then.
  ///
  /// It is called about once a second. For a connection its calls are counted, and not the time: a
  /// machine that has stood still for a while has given its clients no turn, either.
  func look() {
    let now = ContinuousClock.now
    let most = Int(options.requestTime / .seconds(1))
    let all = lock.withLock {
      idle = idle.mapValues { (socket: $0.socket, looks: $0.looks + 1) }
      for (socket, looks) in idle.values where looks > most && !Self.hasUnread(socket) {
        // The library notices, and closes it.
        shutdown(socket, Int32(SHUT_RDWR))
      }
      return Array(exchanges.values)
    }
    for exchange in all { exchange.look(at: now) }
  }

  /// Returns true if something has come that the library hasn't read: then the server is late, and
  /// not the client.
  private static func hasUnread(_ socket: Int32) -> Bool {
    var byte: UInt8 = 0
    return recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0
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
