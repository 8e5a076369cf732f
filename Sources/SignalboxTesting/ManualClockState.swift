/// The state of a manual clock, which is under its lock.
struct ManualClockState {
  struct Sleeper {
    let id: Int
    let deadline: ManualClock.Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  /// A caller that waits for a number of sleepers.
  struct Watcher {
    let id: Int
    let count: Int
    let continuation: CheckedContinuation<Void, any Error>
  }

  var now = ManualClock.Instant()
  var sleepers: [Sleeper] = []
  var watchers: [Watcher] = []
  /// Tasks that were cancelled before they began to wait.
  var cancelled: Set<Int> = []
  private var lastID = 0

  mutating func nextID() -> Int {
    lastID += 1
    return lastID
  }

  /// Removes and returns the sleepers whose time has come, in order of their times.
  mutating func takeDue() -> [Sleeper] {
    let due = sleepers.filter { $0.deadline <= now }
    sleepers.removeAll { $0.deadline <= now }
    return due.sorted { ($0.deadline, $0.id) < ($1.deadline, $1.id) }
  }

  /// Removes and returns the watchers that needn't wait any longer.
  mutating func takeReached() -> [Watcher] {
    let count = sleepers.count
    let reached = watchers.filter { $0.count <= count }
    watchers.removeAll { $0.count <= count }
    return reached
  }

  /// Removes the caller that waits under `id`, or notes that it need not begin.
  ///
  /// - Returns: The continuation of the caller, if it waited.
  mutating func cancel(_ id: Int) -> CheckedContinuation<Void, any Error>? {
    if let index = sleepers.firstIndex(where: { $0.id == id }) {
      return sleepers.remove(at: index).continuation
    }
    if let index = watchers.firstIndex(where: { $0.id == id }) {
      return watchers.remove(at: index).continuation
    }
    cancelled.insert(id)
    return nil
  }
}
