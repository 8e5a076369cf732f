/// Lets other threads run until `condition` holds, and says whether it did in time.
///
///     expectTrue(becomesTrueBlocking { lock.waiterCount == 2 })
///
/// It is for what has no event of its own: that a thread is blocked, or that an object has gone.
public func becomesTrueBlocking(
  within limit: Duration = .seconds(300), _ condition: () -> Bool
) -> Bool {
  let end = ContinuousClock.now + limit
  while !condition() {
    if ContinuousClock.now > end { return condition() }
    yieldThread()
  }
  return true
}

/// Lets other tasks run until `condition` holds, and says whether it did in time.
public func becomesTrue(
  within limit: Duration = .seconds(300), _ condition: () -> Bool
) async -> Bool {
  let end = ContinuousClock.now + limit
  while !condition() {
    if ContinuousClock.now > end { return condition() }
    await Task.yield()
  }
  return true
}
