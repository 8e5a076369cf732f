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
/// once its actor lets it run. If the lock were handed to a task, that task would hold it and might
/// need the very thread that waits next. So a thread may overtake a task, and so may a task that
/// comes while nobody waits. If others wait and a task that was woken doesn't come within some
/// milliseconds, its actor is busy, and the next task is woken. The late task keeps its place: it
/// is the next one once it comes.
///
/// After a task was overtaken, the lock is kept for it for some milliseconds when its turn comes
/// again. So threads that commit without end don't keep it waiting.
public struct WriterLock: ~Copyable, Sendable {
  private let core: Core

  /// Creates a free lock.
  public init() { self.init(patience: Core.patience) }

  /// Creates a free lock with another time after which the next task is woken.
  ///
  /// If it is nil, tasks wait for one whose actor is busy. So a test decides who comes.
  init(patience: Duration?) { core = Core(patience: patience) }

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
      if !core.lineUp(task) { break }
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

/// The state of a writers' lock.
private final class Core: Sendable {
  /// The time that a woken task has to come while others wait; the lock is kept for less (F13).
  static let patience: Duration = .milliseconds(10)

  let queue = Locked(WriterQueue())
  let owner = AtomicWord(0)
  private let patience: Duration?

  init(patience: Duration?) { self.patience = patience }

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
    let (next, needsGuard) = queue.withLock { ($0.next(), $0.needsGuard()) }
    notify(next)
    if needsGuard { startGuard() }
  }

  private func notify(_ next: WriterQueue.Next) {
    next.thread?.set((next.isHandedOver ? WriterQueue.News.handed : .kept).rawValue)
    next.task?.wake()
  }

  /// Takes the lock for a task, or inserts the task into the queue.
  ///
  /// - Returns: true if the task has to wait.
  func lineUp(_ task: WaitingTask) -> Bool {
    let (waits, needsGuard) = queue.withLock { ($0.lineUp(task), $0.needsGuard()) }
    if needsGuard { startGuard() }
    return waits
  }

  /// Starts the task that wakes the next waiter while one that was woken doesn't come.
  ///
  /// It ends as soon as it isn't needed, at the latest when nobody waits.
  private func startGuard() {
    guard let patience else { return }
    Task.detached(priority: .medium) { [self] in
      var pause = patience
      while true {
        // Nobody cancels this task.
        try? await Task.sleep(for: pause)
        switch queue.withLock({ $0.guardStep() }) {
        case .ended: return
        case .waiting: pause = patience
        case .passed(let next):
          notify(next)
          // Many tasks of one busy actor don't hold up the others for long.
          pause = max(pause / 2, .milliseconds(1))
        }
      }
    }
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
