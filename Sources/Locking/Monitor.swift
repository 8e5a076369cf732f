internal import CLocking

/// A value that only the holder of its lock can reach, and whose changes threads can wait for.
///
///     let names = Monitor<[String]>([])
///     names.change { $0.append("Ann") }         // on one thread
///     let first = names.wait { $0.first }       // on another one
///
/// While the lock is held, call nothing that can run a user's code.
public final class Monitor<State>: @unchecked Sendable {
  // @unchecked: `memory` is reached under its lock.

  private struct Memory {
    var lock = sb_lock()
    // This isn't the last field. Otherwise a state of size 0 would lie behind the memory, where the
    // thread sanitizer still remembers accesses of a previous owner.
    var state: State
    var condition = sb_condition()
  }

  private let memory: UnsafeMutablePointer<Memory>

  /// Creates a monitor that guards `state`.
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

  /// Calls `body` with the state while the lock is held, and lets waiting threads check it again.
  ///
  /// - Returns: The result of `body`, which outlives the lock.
  public func change<Result>(_ body: (inout State) -> Result) -> Result {
    sb_lock_lock(&memory.pointee.lock)
    let result = body(&memory.pointee.state)
    sb_condition_broadcast(&memory.pointee.condition)
    sb_lock_unlock(&memory.pointee.lock)
    withExtendedLifetime(result) {}
    return result
  }

  /// Checks the state and, if it isn't as wanted, once more after a change or after a time.
  ///
  /// The second check may come earlier, because the system may wake the thread.
  ///
  /// - Parameters:
  ///   - time: The longest time to wait. Without one, it waits until the state changes.
  ///   - body: Returns true if the state is as wanted.
  public func wait(atMost time: Duration?, for body: (inout State) -> Bool) {
    sb_lock_lock(&memory.pointee.lock)
    defer { sb_lock_unlock(&memory.pointee.lock) }
    if body(&memory.pointee.state) { return }
    if let time {
      let (seconds, attoseconds) = time.components
      // A year is as good as forever.
      let nanoseconds = min(seconds, 31_536_000) * 1_000_000_000 + attoseconds / 1_000_000_000
      if nanoseconds <= 0 { return }
      sb_condition_wait_for(&memory.pointee.condition, &memory.pointee.lock, nanoseconds)
    } else {
      sb_condition_wait(&memory.pointee.condition, &memory.pointee.lock)
    }
    _ = body(&memory.pointee.state)
  }

  /// Waits until `body` returns a value for the current state.
  ///
  /// - Returns: That value, which outlives the lock.
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
