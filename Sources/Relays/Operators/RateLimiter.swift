internal import Locking

/// The value of one subscription that waits for its time.
///
/// Everything that happens is an event of its own core, and events come one at a time. So no lock
/// is held while code of the clock or of the values runs.
final class RateLimiter<Output: Sendable, C: Clock>: @unchecked Sendable
where C.Duration == Duration {
  // @unchecked: the variables are guarded by the gate of `core`, which delivers the events.
  enum Event: Sendable {
    case value(Output, at: C.Instant)
    /// The task with this number has woken up.
    case time(C.Instant, task: Int)
    case end
  }

  private let core = RelayCore<Event>()
  private let upstreams = CompositeToken()
  /// The task that sleeps until the deadline.
  private let timer = Locked<Task<Void, Never>?>(nil)
  private let pace: Pace
  private let interval: Duration
  private let clock: C
  private let receive: @Sendable (Output) -> Void
  private let end: (@Sendable () -> Void)?

  private var waiting: Output?
  /// The time when the waiting value is due or the span ends; nil if there is neither.
  private var deadline: C.Instant?
  /// The number of tasks that have been started.
  private var taskCount = 0
  /// The time until which the last task sleeps; nil if it has slept.
  private var wakeUp: C.Instant?

  private init(
    _ pace: Pace, _ interval: Duration, _ clock: C,
    _ receive: @escaping @Sendable (Output) -> Void, _ end: (@Sendable () -> Void)?
  ) {
    self.pace = pace
    self.interval = interval
    self.clock = clock
    self.receive = receive
    self.end = end
  }

  static func subscribe(
    to signal: Signal<Output>, _ pace: Pace, _ interval: Duration, _ clock: C,
    _ receive: @escaping @Sendable (Output) -> Void, _ end: (@Sendable () -> Void)?
  ) -> SubscriptionToken {
    let pacer = RateLimiter(pace, interval, clock, receive, end)
    let (core, upstreams) = (pacer.core, pacer.upstreams)
    upstreams.add(core.attach({ pacer.handle($0) }, nil))
    let cancelTimer = OnCancel { pacer.timer.withLock { $0.take() }?.cancel() }
    upstreams.add(SubscriptionToken(source: cancelTimer))
    upstreams.add(
      signal.attach({ core.send(.value($0, at: clock.now)) }, { core.send(.end) }))
    return SubscriptionToken(source: upstreams)
  }

  private func handle(_ event: Event) {
    switch event {
    case .value(let value, let now):
      limitSpan(from: now)
      // A value that was due before this one comes before it, even if the timer hasn't run yet.
      passOnDue(at: now)
      if upstreams.isDone { return }
      admit(value, at: now)
    case .time(let now, let task):
      if task == taskCount { wakeUp = nil }
      limitSpan(from: now)
      passOnDue(at: now)
      startTimer(at: now)
    case .end:
      if let last = waiting.take() { receive(last) }
      if upstreams.finish() { end?() }
    }
  }

  private func admit(_ value: Output, at now: C.Instant) {
    let isFree = deadline == nil
    if isFree || pace == .debounce { deadline = now.advanced(by: interval) }
    startTimer(at: now)
    if isFree && pace != .debounce {
      receive(value)
    } else if waiting == nil || pace != .first {
      waiting = value
    }
  }

  /// Moves the deadline to one interval from now if the clock was set back.
  private func limitSpan(from now: C.Instant) {
    guard let deadline, now.duration(to: deadline) > interval else { return }
    self.deadline = now.advanced(by: interval)
  }

  private func passOnDue(at now: C.Instant) {
    guard let ended = deadline, now >= ended else { return }
    let due = waiting.take()
    // Spans follow each other without a gap. So they depend only on the clock, and not on when the
    // timer runs. A span that is already over, and in which no value came, isn't opened.
    let next = ended.advanced(by: interval)
    deadline = pace == .debounce || due == nil || next <= now ? nil : next
    if let due { receive(due) }
  }

  /// Sleeps until the deadline, unless a task wakes up by then or there is no deadline.
  ///
  /// It sleeps for as long as clocks can at once: they count nanoseconds in 64 bits. If that is too
  /// early, another sleep follows.
  private func startTimer(at now: C.Instant) {
    guard let deadline else { return }
    let wakeUp = min(deadline, now.advanced(by: .seconds(3e9)))
    if let known = self.wakeUp, known <= wakeUp { return }
    let isSleeping = self.wakeUp != nil
    self.wakeUp = wakeUp
    taskCount += 1
    let number = taskCount
    // The task doesn't inherit the sender's priority and task-local values, which have nothing to
    // do with the time.
    let task: Task<Void, Never> = Task.detached(priority: .medium) { [core, clock] in
      do {
        try await clock.sleep(until: wakeUp, tolerance: nil)
      } catch {
        if Task.isCancelled { return }
        // A clock that can't sleep is asked again, but not all the time.
        guard (try? await Task.sleep(for: .seconds(1))) != nil else { return }
      }
      core.send(.time(clock.now, task: number))
    }
    let last = timer.withLock { last in
      defer { last = task }
      return last
    }
    // The last task would sleep for too long. A task that has woken up isn't cancelled: it may be
    // the one that runs this.
    if isSleeping { last?.cancel() }
    // If the subscription was cancelled before the task was stored, nothing else cancels the task.
    if upstreams.isDone { task.cancel() }
  }
}
