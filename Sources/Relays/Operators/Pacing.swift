internal import Locking

extension Subscribable {
  /// Passes on a value when no other has come for a while.
  ///
  ///     let searches = typedText.debounce(for: .milliseconds(300))
  ///
  /// Each value puts the time off. The value is delivered by a task of the clock's, one at a time
  /// and in order. When no value can come any more, the one that waits is passed on at once.
  ///
  /// - Parameters:
  ///   - interval: How long it has to be quiet.
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
  /// - Parameters:
  ///   - interval: How long a span is.
  ///   - clock: What tells the time; a test passes a clock that it moves itself.
  ///   - latest: Whether the latest of a span is passed on, and not the first.
  /// - Returns: a signal that does nothing until it is subscribed to.
  public func throttle<C: Clock>(
    for interval: Duration, clock: C = ContinuousClock(), latest: Bool
  ) -> Signal<Output> where C.Duration == Duration {
    paced(latest ? .latest : .first, interval, clock)
  }

  private func paced<C: Clock>(_ pace: Pace, _ interval: Duration, _ clock: C) -> Signal<Output>
  where C.Duration == Duration {
    precondition(interval >= .zero, "An interval of \(interval) ends before it begins")
    let upstream = signal
    return Signal { receive, end in
      let pacer = Pacer<Output, C>(pace, interval, clock)
      let upstreams = Upstreams()
      upstreams.add(pacer.core.attach(receive, end))
      upstreams.add(upstream.attach({ pacer.receive($0) }, { pacer.end() }))
      upstreams.add(SubscriptionToken(source: OnCancel { pacer.stop() }))
      return SubscriptionToken(source: upstreams)
    }
  }
}

/// Which values are passed on, and when.
private enum Pace {
  case debounce
  case first
  case latest
}

/// What waits for its time, for one subscription.
private final class Pacer<Output: Sendable, C: Clock>: @unchecked Sendable
where C.Duration == Duration {
  // @unchecked: what changes is under the lock of `core`.
  let core = RelayCore<Output>()
  private let pace: Pace
  private let interval: Duration
  private let clock: C

  private var waiting: Output?
  /// When what waits is due, or the span ends; nil if nothing waits and no span is open.
  private var deadline: C.Instant?
  private var timer: Task<Void, Never>?
  private var isTiming = false
  private var isStopped = false

  init(_ pace: Pace, _ interval: Duration, _ clock: C) {
    self.pace = pace
    self.interval = interval
    self.clock = clock
  }

  func receive(_ value: Output) {
    // Read outside the lock, since the clock is a user's.
    let now = clock.now
    var old: Output?
    var mustStart = false
    core.send(deciding: {
      if isStopped { return nil }
      mustStart = !isTiming
      isTiming = true
      guard pace != .debounce else {
        old = waiting
        waiting = value
        deadline = now.advanced(by: interval)
        return nil
      }
      let due = takeDue(at: now)
      if deadline == nil {
        deadline = now.advanced(by: interval)
        return value
      }
      if waiting == nil || pace == .latest {
        old = waiting
        waiting = value
      }
      return due
    })
    withExtendedLifetime(old) {}
    if mustStart { start() }
  }

  /// Gives what is due, and sets the next deadline; under the lock.
  private func takeDue(at now: C.Instant) -> Output? {
    guard let ended = deadline, now >= ended else { return nil }
    let due = waiting
    waiting = nil
    // The spans follow each other without a gap, so that they depend on the clock alone and not on
    // when the timer gets to run.
    deadline = pace == .debounce || due == nil ? nil : ended.advanced(by: interval)
    return due
  }

  /// Starts the timer; there is none.
  private func start() {
    let timer = Task { await self.run() }
    let isLate = core.lock.withLock { () -> Bool in
      if !isStopped { self.timer = timer }
      return isStopped
    }
    if isLate { timer.cancel() }
  }

  private func run() async {
    while let next = nextDeadline() {
      do { try await clock.sleep(until: next, tolerance: nil) } catch { return }
      let now = clock.now
      core.send(deciding: { takeDue(at: now) })
    }
  }

  private func nextDeadline() -> C.Instant? {
    core.lock.withLock {
      isTiming = deadline != nil
      return deadline
    }
  }

  /// No value can come any more: what waits is passed on now.
  func end() {
    core.send(deciding: {
      let last = waiting
      waiting = nil
      return last
    })
    stop()
    core.end()
  }

  /// Forgets what waits.
  func stop() {
    var (running, last): (Task<Void, Never>?, Output?)
    core.lock.withLock {
      swap(&running, &timer)
      swap(&last, &waiting)
      isStopped = true
      deadline = nil
    }
    running?.cancel()
  }
}
