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
    if let pause = pause(after: waited) {
      Thread.sleep(forTimeInterval: pause / .seconds(1))
    } else {
      CurrentThread.yield()
    }
  }
  return true
}

/// Lets other tasks run until `condition` holds, and says whether it did in time.
///
/// It sleeps as ``becomesTrueBlocking(within:_:)`` does.
public func becomesTrue(
  within limit: Duration = .seconds(300), _ condition: () -> Bool
) async -> Bool {
  let begin = ContinuousClock.now
  while !condition() {
    let waited = begin.duration(to: .now)
    if waited > limit { return condition() }
    if let pause = pause(after: waited) {
      try? await Task.sleep(for: pause)
    } else {
      await Task.yield()
    }
  }
  return true
}

/// None while the wait is short; then a part of what has been waited, so that no wait becomes much longer by it.
private func pause(after waited: Duration) -> Duration? {
  waited < .milliseconds(2) ? nil : min(waited / 8, .milliseconds(20))
}
