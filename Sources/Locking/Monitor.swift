internal import CLocking

/// A value that only the holder of its lock can reach, and whose changes threads can wait for.
///
/// Call nothing under the lock that can run someone else's code.
public final class Monitor<State>: @unchecked Sendable {
  // @unchecked: `memory` is reached under its lock.

  private struct Memory {
    var lock = sb_lock()
    // Not the last: a state of no size would lie behind the memory, where the thread sanitizer still
    // knows accesses of whoever had it before.
    var state: State
    var condition = sb_condition()
  }

  private let memory: UnsafeMutablePointer<Memory>

  /// Guards `state`.
  public init(_ state: State) {
    memory = .allocate(capacity: 1)
    memory.initialize(to: Memory(state: state))
    sb_lock_init(&memory.pointee.lock)
    sb_condition_init(&memory.pointee.condition)
  }

  deinit {
    sb_condition_destroy(&memory.pointee.condition)
    sb_lock_destroy(&memory.pointee.lock)
    memory.deinitialize(count: 1)
    memory.deallocate()
  }

  /// Runs `body` with the state while no other thread can, and has those look again who wait.
  ///
  /// - Returns: what `body` returns, which outlives the lock.
  public func change<Result>(_ body: (inout State) -> Result) -> Result {
    sb_lock_lock(&memory.pointee.lock)
    let result = body(&memory.pointee.state)
    sb_condition_broadcast(&memory.pointee.condition)
    sb_lock_unlock(&memory.pointee.lock)
    withExtendedLifetime(result) {}
    return result
  }

  /// Looks at the state, and once more when it has changed or a time has passed, unless `body` says that it needn't.
  ///
  /// The second look may come before, as the system likes.
  ///
  /// - Parameters:
  ///   - time: how long to wait at most; without it, until the state changes.
  ///   - body: says whether it is as is wanted.
  public func wait(atMost time: Duration?, for body: (inout State) -> Bool) {
    sb_lock_lock(&memory.pointee.lock)
    defer { sb_lock_unlock(&memory.pointee.lock) }
    if body(&memory.pointee.state) { return }
    if let time {
      let (seconds, attoseconds) = time.components
      // A year is as good as for ever.
      let nanoseconds = min(seconds, 31_536_000) * 1_000_000_000 + attoseconds / 1_000_000_000
      if nanoseconds <= 0 { return }
      sb_condition_wait_for(&memory.pointee.condition, &memory.pointee.lock, nanoseconds)
    } else {
      sb_condition_wait(&memory.pointee.condition, &memory.pointee.lock)
    }
    _ = body(&memory.pointee.state)
  }

  /// Waits until `body` gives something for the state as it is then.
  ///
  /// - Returns: what it gives, which outlives the lock.
  public func wait<Result>(for body: (inout State) -> Result?) -> Result {
    sb_lock_lock(&memory.pointee.lock)
    while true {
      if let result = body(&memory.pointee.state) {
        sb_lock_unlock(&memory.pointee.lock)
        withExtendedLifetime(result) {}
        return result
      }
      sb_condition_wait(&memory.pointee.condition, &memory.pointee.lock)
    }
  }
}
