internal import Foundation
internal import Locking

/// Lets other threads run until `condition` holds, and says whether it did in time.
///
///     expectTrue(becomesTrueBlocking { lock.waiterCount == 2 })
///
/// It is for what has no event of its own: that a thread is blocked, or that an object has gone. A long wait sleeps
/// for most of its time, and so leaves the processor to what it waits for.
public func becomesTrueBlocking(
  within limit: Duration = .seconds(300), _ condition: () -> Bool
) -> Bool {
  let begin = ContinuousClock.now
  while !condition() {
    let waited = begin.duration(to: .now)
    if waited > limit { return condition() }
    rest(after: waited, atMost: 0.02)
  }
  return true
}

/// Lets other tasks run until `condition` holds, and says whether it did in time.
///
/// It sleeps as ``becomesTrueBlocking(within:_:)`` does, a millisecond at a time, since others want its thread.
public func becomesTrue(
  within limit: Duration = .seconds(300), _ condition: () -> Bool
) async -> Bool {
  let begin = ContinuousClock.now
  while !condition() {
    let waited = begin.duration(to: .now)
    if waited > limit { return condition() }
    await Task.yield()
    rest(after: waited, atMost: 0.001)
  }
  return true
}

/// Lets other threads run: sleeps for a part of what has been waited, so that no wait becomes much longer by it.
private func rest(after waited: Duration, atMost limit: TimeInterval) {
  if waited < .milliseconds(2) { return CurrentThread.yield() }
  Thread.sleep(forTimeInterval: min(waited / .seconds(8), limit))
}
