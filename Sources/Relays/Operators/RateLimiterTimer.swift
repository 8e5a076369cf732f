internal import Locking

/// The task that sleeps for a `RateLimiter`.
final class RateLimiterTimer: Sendable {
  private struct State {
    var task: Task<Void, Never>?
    var isStopped = false
  }

  private let state = Locked(State())

  func run(_ task: Task<Void, Never>) {
    let isStopped = state.withLock { state in
      if !state.isStopped { state.task = task }
      return state.isStopped
    }
    if isStopped { task.cancel() }
  }

  func stop() {
    let task = state.withLock { state in
      state.isStopped = true
      return state.task.take()
    }
    task?.cancel()
  }
}
