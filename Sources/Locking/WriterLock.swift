/// A lock that knows which thread holds it, and gives it to those who wait in the order they came.
///
/// A store's writers queue at one; a nested commit finds that its own thread holds it already. A
/// thread waits blocked, a task suspended. A thread at the head of the queue is handed the lock; a
/// task is woken, and takes it once its actor lets it run: a lock that was handed to a task would be
/// held by one that may need the very thread that waits next.
public struct WriterLock: ~Copyable, Sendable {
  private let core = Core()

  /// A free lock.
  public init() {}

  /// Whether the calling thread holds the lock.
  public var isHeldHere: Bool { core.owner.load() == CurrentThread.token }

  /// Waits for the lock and takes it.
  public func lockHere() {
    let event: ThreadEvent? = core.queue.withLock { queue in
      if queue.take() { return nil }
      let event = ThreadEvent()
      queue.waiters.append(.thread(event))
      return event
    }
    // Whoever announces it leaves the lock taken.
    event?.wait()
    core.owner.store(CurrentThread.token)
  }

  /// Waits for the lock and takes it for the calling task, which must not suspend before it calls
  /// `unlockHere`.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before.
  public nonisolated(nonsending) func lockWhenFree() async throws {
    var last: WaitingTask?
    while true {
      if Task.isCancelled {
        // A task that goes passes on what it was woken for.
        if let last { core.leave(last) }
        throw CancellationError()
      }
      if core.queue.withLock({ $0.takeForTask(isFirst: last != nil) }) { break }
      let task = WaitingTask()
      await core.wait(task, atHead: last != nil)
      last = task
    }
    core.owner.store(CurrentThread.token)
  }

  /// Gives the lock back; the calling thread holds it.
  public func unlockHere() {
    core.owner.store(0)
    core.passOn()
  }
}

/// What a writer lock consists of.
private final class Core: Sendable {
  enum Waiter: Sendable {
    case thread(ThreadEvent)
    case task(WaitingTask)
  }

  struct Queue: Sendable {
    var isHeld = false
    var waiters: [Waiter] = []

    /// Takes the lock if it is free.
    ///
    /// Then no thread waits, and a task that does may need this one to go on.
    mutating func take() -> Bool {
      guard !isHeld else { return false }
      isHeld = true
      return true
    }

    /// Takes the lock for a task if it is free and no other task has waited longer.
    mutating func takeForTask(isFirst: Bool) -> Bool {
      guard isFirst || waiters.isEmpty else { return false }
      return take()
    }

    /// The task to wake and the thread to hand the lock to, if there are any.
    mutating func next() -> (task: WaitingTask?, thread: ThreadEvent?) {
      var woken: WaitingTask?
      var index = 0
      while index < waiters.count {
        switch waiters[index] {
        case .task(let task):
          if woken != nil {
            index += 1
          } else {
            woken = task
            waiters.remove(at: index)
          }
        case .thread(let event):
          waiters.remove(at: index)
          return (woken, event)
        }
      }
      isHeld = false
      return (woken, nil)
    }
  }

  let queue = Locked(Queue())
  let owner = AtomicWord(0)

  func passOn() {
    let (task, thread) = queue.withLock { $0.next() }
    thread?.set()
    task?.wake()
  }

  /// Suspends the calling task until it is its turn to try, or it is cancelled.
  nonisolated(nonsending) func wait(_ task: WaitingTask, atHead: Bool) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        task.wait(continuation)
        let isFree = queue.withLock { queue in
          if !queue.isHeld && (atHead || queue.waiters.isEmpty) { return true }
          queue.waiters.insert(.task(task), at: atHead ? 0 : queue.waiters.count)
          return false
        }
        if isFree { task.wake() }
      }
    } onCancel: {
      task.wake()
    }
  }

  /// Takes a task that won't try out of the queue, or wakes the next if it was woken.
  func leave(_ task: WaitingTask) {
    let wasWoken = queue.withLock { queue in
      let count = queue.waiters.count
      queue.waiters.removeAll { if case .task(let other) = $0 { other === task } else { false } }
      return queue.waiters.count == count && !queue.isHeld
    }
    if wasWoken { passOnToNobody() }
  }

  /// Wakes who waits for a lock that is free.
  private func passOnToNobody() {
    let isMine = queue.withLock { $0.take() }
    if isMine { passOn() }
  }
}

/// A task that waits; it is woken once, whether or not it waits already.
private final class WaitingTask: Sendable {
  private struct State {
    var isWoken = false
    var continuation: CheckedContinuation<Void, Never>?
  }

  private let state = Locked(State())

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
