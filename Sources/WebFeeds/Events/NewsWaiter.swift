internal import Relays

/// Waits for a feed's news on behalf of one task.
final class NewsWaiter: Sendable {
  private enum Reason { case news, timeOut }

  private let reasons: AsyncStream<Reason>
  private let continuation: AsyncStream<Reason>.Continuation
  private let token: SubscriptionToken

  init(_ didChange: Signal<Void>) {
    // One reason is enough: after it, everything that is new is looked at.
    let (reasons, continuation) = AsyncStream.makeStream(
      of: Reason.self, bufferingPolicy: .bufferingNewest(1))
    (self.reasons, self.continuation) = (reasons, continuation)
    token = didChange.subscribe { continuation.yield(.news) }
  }

  deinit {
    token.cancel()
    continuation.finish()
  }

  /// Waits until there may be something new, and returns true; or returns false after a time, or if
  /// the task is cancelled.
  ///
  /// Only one task may wait at a time.
  func wait(atMost limit: Duration) async -> Bool {
    // Clocks count nanoseconds in 64 bits, and a longer sleep would trap.
    let limit = min(limit, .seconds(3e9))
    let alarm = Task { [continuation] in
      try await Task.sleep(for: limit)
      continuation.yield(.timeOut)
    }
    defer { alarm.cancel() }
    for await reason in reasons { return reason == .news }
    return false
  }
}
