internal import Locking
internal import Relays

/// Waits for a feed's news on behalf of one task.
final class NewsWaiter: Sendable {
  private enum Reason { case news, timeOut }

  /// The one alarm of a waiter, which goes on for later waits.
  ///
  /// Each sleep stays in the system's clock until its end, also if it is cancelled. With a sleep
  /// for each wait, streams with much news would fill the memory.
  private struct Alarm {
    /// The time at which the present wait ends, or nil if nobody waits.
    var deadline: ContinuousClock.Instant?
    /// The time at which the alarm rings, or nil if it isn't set.
    var time: ContinuousClock.Instant?
    /// The number of alarms so far; the last one is the one that is set.
    var count = 0
    var task: Task<Void, Never>?
  }

  private let reasons: AsyncStream<Reason>
  private let continuation: AsyncStream<Reason>.Continuation
  private let token: SubscriptionToken
  private let alarm = Locked(Alarm())

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
    alarm.withLock { $0.task.take() }?.cancel()
  }

  /// The number of alarms that have been set, for tests.
  var alarmCount: Int { alarm.withLock { $0.count } }

  /// Waits until there may be something new, and returns true; or returns false after a time, or if
  /// the task is cancelled.
  ///
  /// Only one task may wait at a time.
  func wait(atMost limit: Duration) async -> Bool {
    // Clocks count nanoseconds in 64 bits, and a longer sleep would trap.
    setAlarm(at: ContinuousClock.now + min(limit, .seconds(3e9)))
    defer { alarm.withLock { $0.deadline = nil } }
    for await reason in reasons { return reason == .news }
    return false
  }

  /// Lets the alarm ring at a time; one that rings before is set again then.
  private func setAlarm(at time: ContinuousClock.Instant) {
    let late = alarm.withLock { alarm -> Task<Void, Never>? in
      alarm.deadline = time
      if let known = alarm.time, known <= time { return nil }
      let late = alarm.task
      alarm.time = time
      alarm.count += 1
      let number = alarm.count
      // It serves later waits, too, and takes nothing along from the task that waits now.
      alarm.task = Task.detached { [weak self] in
        var next: ContinuousClock.Instant? = time
        while let end = next {
          guard (try? await Task.sleep(until: end, clock: .continuous)) != nil else { return }
          next = self?.ring(number)
        }
      }
      return late
    }
    late?.cancel()
  }

  /// Ends the wait if its time is over.
  ///
  /// - Returns: The time at which the alarm rings again, or nil if it isn't set any more.
  private func ring(_ number: Int) -> ContinuousClock.Instant? {
    let now = ContinuousClock.now
    let (next, isOver) = alarm.withLock { alarm -> (ContinuousClock.Instant?, Bool) in
      guard alarm.count == number else { return (nil, false) }
      if let deadline = alarm.deadline, deadline > now {
        alarm.time = deadline
        return (deadline, false)
      }
      (alarm.time, alarm.task) = (nil, nil)
      return (nil, alarm.deadline != nil)
    }
    if isOver { continuation.yield(.timeOut) }
    return next
  }
}
