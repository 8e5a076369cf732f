internal import SQLiteLibrary
internal import Locking

/// A deadline for a statement that SQLite runs in a single step, such as `COUNT(*)`.
///
/// The connection's `StepWatch` can't end such a statement, because SQLite doesn't call it. So
/// another thread interrupts it.
final class StatementDeadline: Sendable {
  private struct State {
    var isOver = false
    var hasPassed = false
  }

  private let state = Locked(State())
  private let wakeUp = WakeUp()
  /// The connection.
  ///
  /// The compiler can't know that SQLite lets any thread interrupt an open connection. It is used
  /// only until the deadline is over, and the caller keeps it open until then.
  private nonisolated(unsafe) let handle: OpaquePointer

  private init(_ handle: OpaquePointer) { self.handle = handle }

  /// Returns a deadline that begins now, or nil if this system can't interrupt a count.
  ///
  /// Only these versions of SQLite are known to look for an interruption while they count.
  static func begin(_ time: Duration, for handle: OpaquePointer) -> StatementDeadline? {
    guard sqlite3_libversion_number() >= 3_040_000 else { return nil }
    let deadline = StatementDeadline(handle)
    return PlatformThread.start { deadline.wait(for: time) } ? deadline : nil
  }

  private func wait(for time: Duration) {
    let end = ContinuousClock.now + time
    while true {
      let rest = end - ContinuousClock.now
      if rest <= .zero { break }
      wakeUp.sleep(for: rest)
      if state.withLock({ $0.isOver }) { return }
    }
    state.withLock { state in
      if state.isOver { return }
      state.hasPassed = true
      sqlite3_interrupt(handle)
    }
  }

  /// Ends the deadline, and returns true if it had passed.
  func end() -> Bool {
    let hasPassed = state.withLock { state in
      state.isOver = true
      return state.hasPassed
    }
    wakeUp.call()
    return hasPassed
  }
}
