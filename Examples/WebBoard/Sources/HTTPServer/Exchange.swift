internal import CMicroHTTPD
internal import Foundation
internal import WebFeeds

/// One request and its answer, as libmicrohttpd calls for it.
///
/// One thread of the library works on a connection at a time. `wake` comes from another thread. A
/// connection that has nothing to do is suspended, and costs nothing.
final class Exchange: @unchecked Sendable {
  // @unchecked: the lock protects what `wake` and `look` touch; the rest belongs to the library's
  // thread.
  let connection: OpaquePointer
  let core: HTTPCore
  var request: HTTPRequest

  private let lock = NSLock()
  private var isSuspended = false
  private var hasNews = false
  private var hasEnded = false
  private var needsSign = false
  private var hasLeft = false
  private var lastSent = ContinuousClock.now
  private var waker: HTTPWaker?
  /// When a request that waits is answered in any case.
  private var deadline: ContinuousClock.Instant?

  private var stream: EventStream?
  private var bytes: [UInt8] = []
  private var sent = 0

  init(_ connection: OpaquePointer, _ core: HTTPCore, _ request: HTTPRequest) {
    self.connection = connection
    self.core = core
    self.request = request
  }

  // MARK: From other threads

  /// Lets the library's thread go on.
  func wake() {
    lock.withLock {
      hasNews = true
      resume()
    }
  }

  /// Wakes a client that has waited long enough.
  func look(at now: ContinuousClock.Instant) {
    lock.withLock {
      if isSuspended, !hasEnded, hasClosed(http_socket(connection)) {
        hasLeft = true
        resume()
      }
      if let deadline, deadline <= now { resume() }
      if stream != nil, isSuspended, now - lastSent >= core.options.keepAlive {
        needsSign = true
        resume()
      }
    }
  }

  /// Returns true if the other side has closed a connection.
  ///
  /// The library doesn't look at suspended connections.
  private func hasClosed(_ socket: Int32) -> Bool {
    var byte: UInt8 = 0
    let count = recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
    return count == 0 || count < 0 && errno != EAGAIN && errno != EINTR
  }

  private func resume() {
    guard isSuspended, !hasEnded else { return }
    isSuspended = false
    MHD_resume_connection(connection)
  }

  /// Suspends the connection, unless something is new since `hasNews` was cleared.
  private func suspend() -> Bool {
    lock.withLock {
      if hasNews || core.isEnding { return false }
      isSuspended = true
      MHD_suspend_connection(connection)
      return true
    }
  }

  /// Cuts the connection, if there still is one.
  func cut() {
    lock.withLock {
      if hasEnded { return }
      shutdown(http_socket(connection), Int32(SHUT_RDWR))
      resume()
    }
  }

  /// The exchange is over; the connection may no longer be touched.
  func end() {
    let waker = lock.withLock {
      hasEnded = true
      defer { self.waker = nil }
      return self.waker
    }
    waker?.remove(self)
  }

  // MARK: On the library's thread

  /// Answers the request, or waits with it.
  func answer() -> MHD_Result {
    while true {
      let hasLeft = lock.withLock {
        hasNews = false
        return self.hasLeft
      }
      if hasLeft { return .NO }
      switch core.handle(request) {
      case .answer(let answer): return send(answer)
      case .stream(let stream, let waker):
        _ = follow(waker)
        return begin(stream)
      case .waiting(let waker, let time, let orElse):
        // News between the reply and this would be missed: ask once more.
        if follow(waker) { continue }
        let now = ContinuousClock.now
        let end = lock.withLock {
          if deadline == nil { deadline = now + time }
          return deadline ?? now
        }
        if end <= now || core.isEnding { return send(orElse) }
        if suspend() { return .YES }
      }
    }
  }

  /// Follows a feed's news, and returns true unless the exchange does so already.
  private func follow(_ waker: HTTPWaker) -> Bool {
    let isNew = lock.withLock {
      defer { self.waker = waker }
      return self.waker == nil
    }
    if isNew { waker.add(self) }
    return isNew
  }

  /// The header of an answer after which the connection is closed.
  static let closing = WebAnswer.Header("connection", "close")

  static let tooLong = WebAnswer.refused(status: 413, kind: "tooLong", "The body is too long.")
    .adding([closing])

  static let ending = WebAnswer.refused(status: 503, kind: "ending", "The server is ending.")
    .adding([closing])

  func send(_ answer: WebAnswer) -> MHD_Result {
    let made = answer.body.withUnsafeBytes { body in
      MHD_create_response_from_buffer(
        body.count, UnsafeMutableRawPointer(mutating: body.baseAddress), .RESPMEM_MUST_COPY)
    }
    return queue(made, answer.status, answer.headers)
  }

  private func begin(_ stream: EventStream) -> MHD_Result {
    lock.withLock { self.stream = stream }
    let made = MHD_create_response_from_callback(
      UInt64.max, 16_384,
      { context, _, buffer, limit in
        guard let context, let buffer else { return -2 }
        let exchange = Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
        return exchange.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: limit))
      }, Unmanaged.passRetained(self).toOpaque(),
      { context in
        if let context { Unmanaged<Exchange>.fromOpaque(context).release() }
      })
    return queue(made, 200, stream.headers)
  }

  private func queue(
    _ response: OpaquePointer?, _ status: Int, _ headers: [WebAnswer.Header]
  ) -> MHD_Result {
    guard let response else { return .NO }
    defer { MHD_destroy_response(response) }
    for header in headers + core.headers {
      MHD_add_response_header(response, header.name, header.value)
    }
    return MHD_queue_response(connection, UInt32(status), response)
  }

  /// Writes the next bytes of the stream, or suspends the connection until there are some.
  private func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard let stream else { return -1 }
    while true {
      if sent < bytes.count {
        let count = min(buffer.count, bytes.count - sent)
        bytes.withUnsafeBytes { bytes in
          buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[sent..<sent + count]))
        }
        sent += count
        lock.withLock { lastSent = .now }
        return count
      }
      if core.isEnding { return -1 }
      let (sign, hasLeft) = lock.withLock {
        hasNews = false
        defer { needsSign = false }
        return (needsSign, self.hasLeft)
      }
      if hasLeft { return -2 }
      (bytes, sent) = ([], 0)
      do {
        switch try stream.next() {
        case .bytes(let next): bytes = next
        case .end: return -1
        case .nothing:
          if sign { bytes = stream.keepAlive } else if suspend() { return 0 }
        }
      } catch {
        // The client connects again.
        return -2
      }
    }
  }
}
