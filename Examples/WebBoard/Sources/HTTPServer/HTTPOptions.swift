/// The limits of a server, and the address where it listens.
public struct HTTPOptions: Sendable, Hashable {
  /// The IPv4 address.
  ///
  /// By default only programs of this machine reach the server.
  public var address = "127.0.0.1"
  /// The port; 0 takes a free one.
  public var port: UInt16 = 0
  /// The number of threads that answer.
  public var threads = 2
  /// The most connections at once.
  ///
  /// Others wait until one is closed.
  public var connectionLimit = 2000
  /// The most connections of one address at once, or 0 for no such limit.
  public var connectionLimitOfOneAddress = 0
  /// The most bytes of a request's first line and headers.
  public var headerLimit = 16_384
  /// The most bytes of a request's body.
  public var bodyLimit = 4096
  /// The time within which a connection must have sent a request.
  public var requestTime = Duration.seconds(10)
  /// The time after which a client that takes nothing is dropped.
  public var stallTime = Duration.seconds(60)
  /// The time without news after which a stream sends a sign of life.
  public var keepAlive = Duration.seconds(15)
  /// The shortest time from one round of news to the next.
  ///
  /// All that happens meanwhile is one round.
  public var pace = Duration.milliseconds(20)

  /// Creates the usual options.
  public init() {}
}

/// The reason why a server doesn't start.
public struct HTTPServerError: Error, CustomStringConvertible {
  /// A sentence that states the problem and the remedy.
  public let description: String
}
