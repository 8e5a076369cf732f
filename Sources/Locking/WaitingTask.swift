/// A task that waits for a writer lock; it is woken once, whether or not it waits already.
final class WaitingTask: Sendable {
  private struct State {
    var isWoken = false
    var continuation: CheckedContinuation<Void, Never>?
  }

  private let state = Locked(State())
  /// How often it was woken, tried and was too late.
  let passes: Int
  /// Its place in the order, once it waits.
  ///
  /// The queue sets it, before anybody else has it.
  nonisolated(unsafe) var ticket: Int?

  /// What a task waits as that has waited as `last` before.
  init(after last: WaitingTask?) {
    passes = last.map { $0.passes + 1 } ?? 0
    ticket = last?.ticket
  }

  /// Keeps `continuation` for when it is woken.
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
      defer { state.continuation = nil }
      return state.continuation
    }
    continuation?.resume()
  }
}
