internal import Locking

extension Subscribable {
  /// Passes on a value when no other has come for a while.
  ///
  ///     let searches = typedText.debounce(for: .milliseconds(300))
  ///
  /// Each value puts the time off. Values are delivered one at a time and in order, by a task of the
  /// clock's; one that is due when the next comes may be delivered by the thread that sends that. When no
  /// value can come any more, the one that waits is passed on at once, by the thread that ends, unless
  /// another one is delivering.
  ///
  /// - Parameters:
  ///   - interval: How long it has to be quiet; 0 or more.
  ///   - clock: What tells the time; a test passes a clock that it moves itself.
  /// - Returns: a signal that does nothing until it is subscribed to.
  public func debounce<C: Clock>(
    for interval: Duration, clock: C = ContinuousClock()
  ) -> Signal<Output> where C.Duration == Duration {
    paced(.debounce, interval, clock)
  }

  /// Passes on one value per span of time.
  ///
  ///     let positions = pointer.throttle(for: .milliseconds(16), latest: true)
  ///
  /// A value that comes when no span is open is passed on at once and opens one. When a span ends,
  /// the first or the latest of the values that came in it is passed on, and opens the next; if none
  /// came, no span is open. When no value can come any more, the one that waits is passed on.
  ///
  /// Values are delivered one at a time and in order: by the thread that sends, what waits for the end of a
  /// span by a task of the clock's. What is due when the next comes may be delivered by the thread that
  /// sends that, and the last one by the thread that ends.
  ///
  /// - Parameters:
  ///   - interval: How long a span is; 0 or more.
  ///   - clock: What tells the time; a test passes a clock that it moves itself.
  ///   - latest: Whether the latest of a span is passed on, and not the first.
  /// - Returns: a signal that does nothing until it is subscribed to.
  public func throttle<C: Clock>(
    for interval: Duration, clock: C = ContinuousClock(), latest: Bool = true
  ) -> Signal<Output> where C.Duration == Duration {
    paced(latest ? .latest : .first, interval, clock)
  }

  private func paced<C: Clock>(_ pace: Pace, _ interval: Duration, _ clock: C) -> Signal<Output>
  where C.Duration == Duration {
    mustHold(interval >= .zero, "An interval of \(interval) ends before it begins")
    let upstream = signal
    return Signal { receive, end in
      RateLimiter.subscribe(to: upstream, pace, interval, clock, receive, end)
    }
  }
}
