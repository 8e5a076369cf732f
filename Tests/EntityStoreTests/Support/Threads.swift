import Foundation
import Locking

/// Runs each body in a thread of its own, and throws the first error when all have returned.
///
/// Tasks share as many threads as there are processors, so two that wait for each other may hang.
func inThreads(_ bodies: [@Sendable () throws -> Void]) async throws {
  let box = Box(running: bodies.count)
  await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
    for body in bodies {
      let thread = Thread {
        let result = Result { try body() }
        let isLast = box.state.withLock { state in
          if case .failure(let error) = result { state.error = state.error ?? error }
          state.running -= 1
          return state.running == 0
        }
        if isLast { continuation.resume() }
      }
      thread.stackSize = 4 << 20
      thread.start()
    }
  }
  if let error = box.state.withLock({ $0.error }) { throw error }
}

private final class Box: Sendable {
  let state: Locked<(running: Int, error: (any Error)?)>

  init(running: Int) { state = Locked((running, nil)) }
}
