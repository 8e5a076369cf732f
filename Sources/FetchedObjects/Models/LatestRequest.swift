internal import Locking

/// The requests of a model of which only the last one is to be carried out.
///
/// One runs at a time. Of those that wait, each new one replaces the one before. A request whose
/// task is cancelled counts as replaced. No thread is blocked meanwhile.
final class LatestRequest: Sendable {
  private struct State {
    /// The number of the newest request.
    ///
    /// The cancel of the newest request counts as a request.
    var newest = 0
    var isRunning = false
    /// The request that runs next, if there is one; it gets true if it may run.
    var waiting: (number: Int, turn: CheckedContinuation<Bool, Never>)?
  }

  private let state = Locked(State())

  /// Replaces all requests so far, and returns the number of a new one.
  @discardableResult func replace() -> Int {
    let (number, replaced) = state.withLock { state in
      state.newest += 1
      return (state.newest, state.waiting.take())
    }
    replaced?.turn.resume(returning: false)
    return number
  }

  /// The number of the newest request.
  var newest: Int { state.withLock { $0.newest } }

  /// Returns true if a later request has replaced this one, or its task has been cancelled.
  func isReplaced(_ number: Int) -> Bool { newest != number }

  /// Runs `body` when no other request runs, unless a later request comes before.
  ///
  /// `body` gets a function that returns true once a later request has come, or the task has been
  /// cancelled. It returns false if it has done nothing for that reason. This returns false then,
  /// and if `body` hasn't run; or it throws `CancellationError` if the task has been cancelled.
  nonisolated(nonsending) func run(
    _ body: @Sendable (_ isReplaced: @escaping @Sendable () -> Bool) async throws -> Bool
  ) async throws -> Bool {
    try Task.checkCancellation()
    let number = replace()
    // While `body` runs, it may wait for something that doesn't notice the cancel.
    let isDone: Bool = try await withTaskCancellationHandler {
      let mayRun = await withCheckedContinuation { (turn: CheckedContinuation<Bool, Never>) in
        if let mayRun = begin(number, turn) { turn.resume(returning: mayRun) }
      }
      guard mayRun else { return false }
      defer { end() }
      try Task.checkCancellation()
      return try await body { [self] in isReplaced(number) }
    } onCancel: {
      cancel(number)
    }
    if !isDone { try Task.checkCancellation() }
    return isDone
  }

  /// Returns true if a request runs now, false if it has been replaced, and nil if it waits.
  private func begin(_ number: Int, _ turn: CheckedContinuation<Bool, Never>) -> Bool? {
    state.withLock { state in
      if state.newest != number { return false }
      if state.isRunning {
        state.waiting = (number, turn)
        return nil
      }
      state.isRunning = true
      return true
    }
  }

  private func end() {
    let next = state.withLock { state in
      state.isRunning = state.waiting != nil
      return state.waiting.take()
    }
    next?.turn.resume(returning: true)
  }

  /// Makes a request count as replaced, whether it waits or runs.
  private func cancel(_ number: Int) {
    let stopped = state.withLock { state in
      if state.newest == number { state.newest += 1 }
      return state.waiting?.number == number ? state.waiting.take() : nil
    }
    stopped?.turn.resume(returning: false)
  }
}
