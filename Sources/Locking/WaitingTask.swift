/// A task that waits for a writers' lock.
///
/// It is woken once. The wake may come before the task begins to wait.
final class WaitingTask: Sendable {
  private struct State {
    var isWoken = false
    var continuation: CheckedContinuation<Void, Never>?
  }

  private let state = Locked(State())
  /// The number of times that the task was woken, tried and was too late.
  let passes: Int
  /// The task's position in the order, once it waits.
  ///
  /// The queue sets it before any other code can reach this object.
  nonisolated(unsafe) var ticket: Int?

  /// Creates a wait of a task, which may have waited as `last` before.
  init(after last: WaitingTask?) {
    passes = last.map { $0.passes + 1 } ?? 0
    ticket = last?.ticket
  }

  /// Keeps `continuation`, and resumes it when the task is woken.
  func wait(_ continuation: CheckedContinuation<Void, Never>) {
    let isWoken = state.withLock { state in
      if !state.isWoken { state.continuation = continuation }
      return state.isWoken
    }
    if isWoken { continuation.resume() }
  }

  func wake() {
    let continuation = state.withLock { state in
      state.isWoken = true
      return state.continuation.take()
    }
    continuation?.resume()
  }
}
