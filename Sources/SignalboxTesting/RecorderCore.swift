internal import Locking

/// The part of a recorder that its subscription holds.
final class RecorderCore<Value: Sendable>: Sendable {
  let state = Locked(RecorderState<Value>())

  /// Makes a change, and wakes those that have what they wait for.
  func note(_ change: (inout RecorderState<Value>) -> Void) {
    let reached = state.withLock { state in
      change(&state)
      return state.takeReached()
    }
    for waiter in reached { waiter.continuation.resume() }
  }
}

/// The state of a recorder, which is under the lock of its core.
struct RecorderState<Value: Sendable> {
  struct Waiter {
    let id: Int
    let count: Int
    let continuation: CheckedContinuation<Void, Never>
  }

  var values: [Value] = []
  var hasEnded = false
  var isCancelled = false
  /// Tasks that were cancelled before they began to wait.
  var cancelled: Set<Int> = []
  private var waiters: [Waiter] = []
  private var lastID = 0

  /// True if no value will be recorded any more.
  private var isOver: Bool { hasEnded || isCancelled }

  mutating func nextID() -> Int {
    lastID += 1
    return lastID
  }

  /// Keeps a continuation, unless there is nothing to wait for.
  mutating func wait(_ id: Int, for count: Int, _ continuation: CheckedContinuation<Void, Never>)
    -> Bool
  {
    if values.count >= count || isOver || cancelled.contains(id) { return false }
    waiters.append(Waiter(id: id, count: count, continuation: continuation))
    return true
  }

  /// Takes the waiter of a task that is cancelled, or notes that it needn't wait.
  mutating func cancel(_ id: Int) -> Waiter? {
    guard let index = waiters.firstIndex(where: { $0.id == id }) else {
      cancelled.insert(id)
      return nil
    }
    return waiters.remove(at: index)
  }

  /// Takes the waiters that have what they wait for.
  mutating func takeReached() -> [Waiter] {
    let most = isOver ? .max : values.count
    let reached = waiters.filter { $0.count <= most }
    waiters.removeAll { $0.count <= most }
    return reached
  }
}
