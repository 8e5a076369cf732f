internal import CMicroHTTPD
internal import Foundation
public import WebFeeds

/// A server for browsers, on GNU libmicrohttpd.
///
///     let server = try HTTPServer(options, rounds: rounds) { request in
///       request.path == "/" ? .answer(page) : .answer(notFound)
///     }
///
/// The library's threads call the handler. It serves nothing but what the handler returns.
public final class HTTPServer: @unchecked Sendable {
  // @unchecked: `daemon` is set once and cleared by `stop`, under the lock.
  private let core: HTTPCore
  private let rounds: HTTPRounds
  private let lock = NSLock()
  private var daemon: OpaquePointer?

  /// The port on which it listens.
  public let port: UInt16

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - options: Its limits and its address.
  ///   - rounds: Those of the wakers that the handler's replies have.
  ///   - headers: The headers of every answer.
  ///   - handle: Returns the reply to a request, on any thread and without waiting.
  /// - Throws: ``HTTPServerError`` if the address can't be used.
  public init(
    _ options: HTTPOptions, rounds: HTTPRounds, headers: [WebAnswer.Header] = [],
    handle: @escaping @Sendable (HTTPRequest) -> HTTPReply
  ) throws {
    core = HTTPCore(options, headers, handle)
    self.rounds = rounds
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = options.port.bigEndian
    guard inet_pton(AF_INET, options.address, &address.sin_addr) == 1 else {
      throw HTTPServerError(
        description: "\(options.address) isn't an IPv4 address; use one such as 127.0.0.1")
    }
    var limits = http_limits(
      threads: UInt32(options.threads), connections: UInt32(options.connectionLimit),
      connections_of_one_address: UInt32(options.connectionLimitOfOneAddress),
      idle_seconds: UInt32(options.stallTime.components.seconds),
      header_bytes: options.headerLimit)
    // Its threads may call back until `stop` has returned, and `deinit` stops it.
    let context = Unmanaged.passUnretained(core).toOpaque()
    guard
      let daemon = http_start(
        &address, &limits, Callbacks.handle, Callbacks.completed, Callbacks.connected, context)
    else {
      throw HTTPServerError(
        description: "\(options.address):\(options.port) can't be used: "
          + "\(String(cString: strerror(errno))); "
          + (errno == EADDRINUSE ? "choose another --port" : "choose another --address or --port"))
    }
    self.daemon = daemon
    port = http_port(daemon)
    Thread.detachNewThread { [core, rounds] in rounds.run { core.look() } }
  }

  deinit { stop() }

  /// Ends all streams, and stops.
  public func stop() {
    let daemon = lock.withLock {
      defer { self.daemon = nil }
      return self.daemon
    }
    guard let daemon else { return }
    let socket = MHD_quiesce_daemon(daemon)
    // From here on no connection is suspended any more.
    core.stop()
    let start = ContinuousClock.now
    while core.count > 0 {
      // A client that takes nothing isn't waited for.
      if ContinuousClock.now - start > .seconds(2) { core.cut() }
      core.stop()
      Thread.sleep(forTimeInterval: 0.005)
    }
    MHD_stop_daemon(daemon)
    if socket >= 0 { close(socket) }
    rounds.end()
  }
}
