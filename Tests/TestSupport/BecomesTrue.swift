internal import Foundation
internal import Locking

/// Lets other threads run until `condition` holds, and says whether it did in time.
///
///     expectTrue(becomesTrueBlocking { lock.waiterCount == 2 })
///
/// It is for what has no event of its own: that a thread is blocked, or that an object has gone. A long wait sleeps
/// for most of its time, and so leaves the processor to what it waits for. Only what it sleeps counts for the limit:
/// where others take the processor, turns come late, and then there is more time.
public func becomesTrueBlocking(
  within limit: Duration = .seconds(300), _ condition: () -> Bool
) -> Bool {
  var wait = Wait(longest: .milliseconds(20))
  while !condition() {
    if wait.slept > limit { return condition() }
    wait.rest()
  }
  return true
}

/// Lets other tasks run until `condition` holds, and says whether it did in time.
///
/// It sleeps as ``becomesTrueBlocking(within:_:)`` does, a millisecond at a time, since others want its thread.
public func becomesTrue(
  within limit: Duration = .seconds(300), _ condition: () -> Bool
) async -> Bool {
  var wait = Wait(longest: .milliseconds(1))
  while !condition() {
    if wait.slept > limit { return condition() }
    await Task.yield()
    wait.rest()
  }
  return true
}

/// Short rests first, then ones that are a part of what has been slept, so that no wait becomes much longer by them.
private struct Wait {
  let longest: Duration
  private(set) var slept = Duration.zero
  private var turns = 0

  init(longest: Duration) { self.longest = longest }

  mutating func rest() {
    turns += 1
    if turns <= 1000 { return CurrentThread.yield() }
    let time = min(max(slept / 8, .microseconds(100)), longest)
    Thread.sleep(forTimeInterval: time / .seconds(1))
    slept += time
  }
}
