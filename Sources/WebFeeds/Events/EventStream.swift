internal import Locking
public import Relays

/// One client's stream of server-sent events: it says what the client lacks at the moment at which
/// the server can send.
///
/// A server sends ``headers`` with status 200. It then sends what ``next()`` returns. It asks again
/// when that has been sent and there may be something new:
///
///     for try await bytes in stream.chunks() { try await response.write(bytes) }
///
/// A stream has no queue. A client that reads slowly gets the net change of all that happened
/// meanwhile, and holds up nobody.
public final class EventStream: Sendable {
  /// The next piece for a client.
  public enum News: Sendable, Hashable {
    /// The next bytes of the body: some events, or a part of a long one.
    case bytes([UInt8])
    /// The client has everything.
    case nothing
    /// The body ends here, and the client connects again.
    case end
  }

  /// The headers of the answer.
  ///
  /// Proxies may neither keep nor gather the events.
  public let headers: [WebAnswer.Header]

  /// The bytes to send when nothing else has been sent for 15 seconds, so that proxies and the
  /// client know that the connection is alive.
  ///
  /// A stream of an ``EventStreamFeed`` sends them among its events, too.
  public let keepAlive: [UInt8]

  /// Has a value when there may be something new.
  public let didChange: Signal<Void>

  private let advance: @Sendable () throws -> News

  /// Creates the stream of a client at a place, which `next` moves unless it throws.
  init<Place: Sendable>(
    keepAlive: [UInt8], headers: [WebAnswer.Header] = [], place: Place,
    didChange: Signal<Void>, next: @escaping @Sendable (inout Place) throws -> News
  ) {
    self.keepAlive = keepAlive
    self.headers =
      [
        WebAnswer.Header("content-type", "text/event-stream"),
        WebAnswer.Header("cache-control", "no-cache, no-transform"),
        WebAnswer.Header("x-accel-buffering", "no"),
      ] + headers
    self.didChange = didChange
    let place = Locked<Place?>(place)
    advance = {
      // Taken out, so that what the place keeps isn't copied when it changes.
      guard var current = place.withLock({ $0.take() }) else {
        mistake(
          "Two threads ask one event stream for its next piece at once; let one wait for the other")
      }
      defer { place.withLock { $0 = current } }
      return try next(&current)
    }
  }

  /// Returns what the client lacks now, and takes it as sent.
  ///
  /// - Precondition: No other thread is in this function of this stream.
  /// - Throws: The error of a closure that makes rows or pages. The next call tries again.
  /// - Complexity: O(*b*) to copy *b* bytes that have been made for another client at the same
  ///   place. A long event of an ``EventStreamFeed`` isn't copied. An ``EventStreamList`` of one
  ///   row runs its closure in each call.
  public func next() throws -> News { try advance() }
}
