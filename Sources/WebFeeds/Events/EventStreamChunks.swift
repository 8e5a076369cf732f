extension EventStream {
  /// Returns the bytes of the body, piece by piece, with signs of life when nothing is new.
  ///
  /// - Parameter interval: The time without a piece after which ``keepAlive`` is sent.
  /// - Returns: The pieces, in order.
  public func chunks(keepAlive interval: Duration = .seconds(15)) -> EventStreamChunks {
    EventStreamChunks(stream: self, interval: interval)
  }
}

/// The body of an event stream, piece by piece.
///
///     for try await bytes in stream.chunks() { try await response.write(bytes) }
///
/// It ends when the stream does, or when the task is cancelled. Iterate over it once.
public struct EventStreamChunks: AsyncSequence, Sendable {
  let stream: EventStream
  let interval: Duration

  /// Waits for the pieces of a body.
  public struct Iterator: AsyncIteratorProtocol {
    private let stream: EventStream
    private let interval: Duration
    private let waiter: NewsWaiter
    private var isOver = false

    init(_ chunks: EventStreamChunks) {
      stream = chunks.stream
      interval = chunks.interval
      waiter = NewsWaiter(chunks.stream.didChange)
    }

    /// Returns the next piece, or nil at the end.
    ///
    /// - Throws: The error of ``EventStream/next()``.
    public mutating func next() async throws -> [UInt8]? {
      let end = ContinuousClock.now + interval
      while !isOver && !Task.isCancelled {
        switch try stream.next() {
        case .bytes(let bytes): return bytes
        case .end: isOver = true
        case .nothing:
          // News that leads to nothing puts off no sign. News of the last moment is the next piece.
          let rest = end - ContinuousClock.now
          // Even then a consumer leaves its actor to others for a moment.
          if rest <= .zero { await Task.yield() }
          guard rest > .zero, await waiter.wait(atMost: rest) else {
            if !Task.isCancelled { return stream.keepAlive }
            isOver = true
            return nil
          }
        }
      }
      // A wait that was cancelled can't be taken up again.
      isOver = true
      return nil
    }
  }

  /// Returns the iterator.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }
}
