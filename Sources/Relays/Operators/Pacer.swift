internal import Locking

/// Which values are passed on, and when.
enum Pace {
  case debounce
  case first
  case latest
}

/// What waits for its time, for one subscription.
final class Pacer<Output: Sendable, C: Clock>: @unchecked Sendable
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
    // What was due before this value goes before it, also if the timer hasn't got to run.
    core.send(deciding: { takeDue(at: now) })
    var old: Output?
    var mustStart = false
    core.send(deciding: {
      if isStopped { return nil }
      mustStart = !isTiming
      isTiming = true
      let isFree = deadline == nil
      if isFree || pace == .debounce { deadline = now.advanced(by: interval) }
      if isFree && pace != .debounce { return value }
      if waiting == nil || pace != .first { (old, waiting) = (waiting, value) }
      return nil
    })
    withExtendedLifetime(old) {}
    if mustStart { start() }
  }

  /// Gives what is due, and sets the next deadline; under the lock.
  private func takeDue(at now: C.Instant) -> Output? {
    guard let ended = deadline, now >= ended else { return nil }
    let due = waiting
    waiting = nil
    // Spans follow each other without a gap, so that they depend on the clock alone and not on when
    // the timer gets to run. One that is over, and in which nothing came, isn't begun.
    let next = ended.advanced(by: interval)
    deadline = pace == .debounce || due == nil || next <= now ? nil : next
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
