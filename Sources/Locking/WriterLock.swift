/// A lock that knows which thread holds it, and that waiters get in the order in which they came.
///
///     let lock = WriterLock()
///     lock.lockHere()
///     defer { lock.unlockHere() }
///
/// A store's writers queue at one. A nested commit finds that its own thread already holds the
/// lock. A thread that waits is blocked; a task that waits is suspended.
///
/// A thread at the head of the queue is handed the lock. A task is only woken, and takes the lock
/// once its actor lets it run. Until then, another task that comes may take it. If the lock were
/// handed to a task, that task would hold it and might need the very thread that waits next. So a
/// thread may overtake a task. After that has happened, the lock is kept for the task for some
/// milliseconds when its turn comes again. So threads that commit without end don't keep it
/// waiting.
public struct WriterLock: ~Copyable, Sendable {
  private let core = Core()

  /// Creates a free lock.
  public init() {}

  /// True if the calling thread holds the lock.
  public var isHeldHere: Bool { core.owner.load() == CurrentThread.token }

  /// The number of threads and tasks that wait.
  public var waiterCount: Int { core.queue.withLock { $0.count } }

  /// Waits for the lock and takes it.
  public func lockHere() {
    if !core.queue.withLock({ $0.takeFree() }) { core.waitHere() }
    core.owner.store(CurrentThread.token)
  }

  /// Takes the lock if nobody holds it, unless it is still kept for a task.
  ///
  /// - Returns: true if the calling thread has the lock now.
  public func lockHereIfFree() -> Bool {
    guard core.queue.withLock({ $0.takeUnkept() }) else { return false }
    core.owner.store(CurrentThread.token)
    return true
  }

  /// Waits for the lock and takes it for the calling task.
  ///
  /// The task must not suspend before it calls `unlockHere`.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before it has the lock.
  public nonisolated(nonsending) func lockWhenFree() async throws {
    var last: WaitingTask?
    while true {
      if Task.isCancelled {
        // A cancelled task passes on the lock that it was woken for.
        if let last { core.leave(last) }
        throw CancellationError()
      }
      if core.queue.withLock({ $0.take(last?.ticket) }) { break }
      let task = WaitingTask(after: last)
      // The task lines up before it suspends, so that tasks of one actor keep their order.
      if !core.queue.withLock({ $0.lineUp(task) }) { break }
      await core.wait(task)
      last = task
    }
    core.owner.store(CurrentThread.token)
  }

  /// Releases the lock, which the calling thread holds.
  public func unlockHere() {
    core.owner.store(0)
    if !core.queue.withLock({ $0.giveBack() }) { core.passOn() }
  }
}

/// The state of a writer lock.
private final class Core: Sendable {
  let queue = Locked(WriterQueue())
  let owner = AtomicWord(0)

  /// Blocks the calling thread until it has the lock.
  @inline(never)
  func waitHere() {
    var thread = WriterQueue.Thread()
    while true {
      switch queue.withLock({ $0.lineUp(&thread) }) {
      case .taken: return
      case .watching: CurrentThread.yield()
      case .waiting(let event):
        // A lock that is handed over stays taken.
        if event.wait() == WriterQueue.News.handed.rawValue { return }
        thread.isWatching = true
      }
    }
  }

  @inline(never)
  func passOn() {
    let next = queue.withLock { $0.next() }
    next.thread?.set((next.isHandedOver ? WriterQueue.News.handed : .kept).rawValue)
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

  /// Removes a task that won't try from the queue, or wakes the next waiter if it was woken.
  func leave(_ task: WaitingTask) {
    if queue.withLock({ $0.leave(task) }) { passOn() }
  }
}
