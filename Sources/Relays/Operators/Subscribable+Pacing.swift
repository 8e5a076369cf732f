internal import Locking

extension Subscribable {
  /// Passes on a value when no other one has come for a while.
  ///
  ///     let searches = typedText.debounce(for: .milliseconds(300))
  ///
  /// Each value restarts the interval. Values are delivered one at a time and in order, by a task
  /// of the clock. If a value is due when the next one comes, the thread that sends the next one
  /// may deliver it. When no value can come any more, the waiting value is passed on at once. The
  /// thread that ends the signal delivers it, unless another thread is delivering.
  ///
  /// - Parameters:
  ///   - interval: The time without a value; 0 or more.
  ///   - clock: The clock that measures the time; a test passes a clock that it moves itself.
  /// - Returns: A signal that does nothing until it is subscribed to.
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
  /// the first or the latest value that came in it is passed on, and opens the next span. If no
  /// value came, no span is open. When no value can come any more, the waiting value is passed on.
  ///
  /// Values are delivered one at a time and in order. A value that is passed on at once is
  /// delivered by the thread that sends it. A value that waits for the end of a span is delivered
  /// by a task of the clock. If a value is due when the next one comes, the thread that sends the
  /// next one may deliver it. The thread that ends the signal may deliver the last one.
  ///
  /// - Parameters:
  ///   - interval: The length of a span; 0 or more.
  ///   - clock: The clock that measures the time; a test passes a clock that it moves itself.
  ///   - latest: True to pass on the latest value of a span, false to pass on the first.
  /// - Returns: A signal that does nothing until it is subscribed to.
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
