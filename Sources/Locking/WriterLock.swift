/// A lock that knows which thread holds it, and gives it to those who wait in the order they came.
///
/// A store's writers queue at one; a nested commit finds that its own thread holds it already. A
/// thread waits blocked, a task suspended. A thread at the head of the queue is handed the lock; a
/// task is woken, and takes it once its actor lets it run: a lock that was handed to a task would be
/// held by one that may need the very thread that waits next. So a thread may go before a task. When
/// that has happened to a task, the lock is kept for it for some milliseconds when its turn comes
/// again, so that threads that commit without end don't keep it waiting.
public struct WriterLock: ~Copyable, Sendable {
  private let core = Core()

  /// A free lock.
  public init() {}

  /// Whether the calling thread holds the lock.
  public var isHeldHere: Bool { core.owner.load() == CurrentThread.token }

  /// How many threads and tasks wait, for tests that line them up.
  var waiterCount: Int { core.queue.withLock { $0.count } }

  /// Waits for the lock and takes it.
  public func lockHere() {
    if !core.queue.withLock({ $0.takeFree() }) { core.waitHere() }
    core.owner.store(CurrentThread.token)
  }

  /// Takes the lock if nobody holds it or waits for it.
  ///
  /// - Returns: whether the calling thread has it now.
  public func lockHereIfFree() -> Bool {
    guard core.queue.withLock({ $0.takeFree() }) else { return false }
    core.owner.store(CurrentThread.token)
    return true
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
      if core.queue.withLock({ $0.take(last?.ticket) }) { break }
      let task = WaitingTask(after: last)
      // Before it suspends, so that tasks of one actor keep their order.
      if !core.queue.withLock({ $0.lineUp(task) }) { break }
      await core.wait(task)
      last = task
    }
    core.owner.store(CurrentThread.token)
  }

  /// Gives the lock back; the calling thread holds it.
  public func unlockHere() {
    core.owner.store(0)
    if !core.queue.withLock({ $0.giveBack() }) { core.passOn() }
  }
}

/// What a writer lock consists of.
private final class Core: Sendable {
  let queue = Locked(WriterQueue())
  let owner = AtomicWord(0)

  /// Waits, blocked, until the calling thread has the lock.
  @inline(never)
  func waitHere() {
    var thread = WriterQueue.Thread()
    while true {
      switch queue.withLock({ $0.lineUp(&thread) }) {
      case .taken: return
      case .watching: CurrentThread.yield()
      case .waiting(let event):
        // Whoever hands the lock over leaves it taken.
        if event.wait() == .handed { return }
        thread.isWatching = true
      }
    }
  }

  /// Gives the lock to whoever is next.
  @inline(never)
  func passOn() {
    let next = queue.withLock { $0.next() }
    next.thread?.announce(next.isHandedOver ? .handed : .kept)
    next.task?.wake()
  }

  /// Suspends the calling task until it is woken or cancelled.
  func wait(_ task: WaitingTask, isolation: isolated (any Actor)? = #isolation) async {
    await withTaskCancellationHandler {
      // Captured, so that the closure doesn't leave the actor and come back.
      _ = isolation
      await withCheckedContinuation { task.wait($0) }
    } onCancel: {
      task.wake()
    }
  }

  /// Takes a task that won't try out of the queue, or wakes the next if it was woken.
  func leave(_ task: WaitingTask) {
    if queue.withLock({ $0.leave(task) }) { passOn() }
  }
}
