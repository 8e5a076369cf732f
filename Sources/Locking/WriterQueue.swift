/// Who waits for a writer lock, in the order they came, and who is next.
///
/// Everything in it is under the lock of its owner, which does what it decides. While the lock is
/// free and somebody waits, there is a task that was woken and will try, or a thread that watches.
struct WriterQueue: Sendable {
  /// A thread that wants the lock.
  struct Thread {
    /// Its place in the order, once it has had to wait.
    fileprivate var ticket: Int?
    /// Whether it is the one that looks whether the lock is still kept for a task.
    var isWatching = false
  }

  /// What a thread is to do.
  enum Step {
    case taken
    case waiting(ThreadEvent)
    /// Ask again in a moment.
    case watching
  }

  private enum Waiter: Sendable {
    case thread(ThreadEvent, ticket: Int)
    case task(WaitingTask, ticket: Int)

    var ticket: Int {
      switch self {
      case .thread(_, let ticket), .task(_, let ticket): ticket
      }
    }
  }

  private var isHeld = false
  /// In the order of their tickets.
  private var waiters: [Waiter] = []
  private var tickets = 0
  /// The task that the free lock is kept for, and until when; it has been woken.
  private var kept: (ticket: Int, end: ContinuousClock.Instant)?
  /// Whether a thread watches for the end of that.
  private var isWatched = false

  /// Gives the time; a test's own.
  private let now: @Sendable () -> ContinuousClock.Instant

  init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) { self.now = now }

  var count: Int { waiters.count }

  private mutating func newTicket() -> Int {
    tickets += 1
    return tickets
  }

  private mutating func insert(_ waiter: Waiter) {
    // Most come last.
    var index = waiters.count
    while index > 0, waiters[index - 1].ticket > waiter.ticket { index -= 1 }
    waiters.insert(waiter, at: index)
  }

  /// Whether the lock is kept for a task with another ticket.
  private func isKept(from ticket: Int?) -> Bool {
    guard let kept, kept.ticket != ticket else { return false }
    return now() < kept.end
  }

  private mutating func take() {
    isHeld = true
    kept = nil
  }

  // MARK: The short ways

  /// Takes the lock if it is free, and kept for nobody.
  @inline(__always)
  mutating func takeFree() -> Bool {
    guard !isHeld, !isWatched, case nil = kept else { return false }
    isHeld = true
    return true
  }

  /// Gives the lock back if nobody waits.
  @inline(__always)
  mutating func giveBack() -> Bool {
    guard waiters.isEmpty else { return false }
    isHeld = false
    return true
  }

  // MARK: Threads

  /// Takes the lock if it is free, and otherwise says how to wait.
  ///
  /// A free lock means that no thread waits, and a task that does may need this one to go on; so it
  /// is kept for a task for a short time only, and only if the task was passed over before.
  mutating func lineUp(_ thread: inout Thread) -> Step {
    if !isHeld && (!isWatched || thread.isWatching) {
      if isKept(from: nil) {
        isWatched = true
        thread.isWatching = true
        _ = ticket(of: &thread)
        return .watching
      }
      if thread.isWatching { isWatched = false }
      take()
      return .taken
    }
    if thread.isWatching {
      isWatched = false
      thread.isWatching = false
    }
    let event = ThreadEvent()
    insert(.thread(event, ticket: ticket(of: &thread)))
    return .waiting(event)
  }

  private mutating func ticket(of thread: inout Thread) -> Int {
    let ticket = thread.ticket ?? newTicket()
    thread.ticket = ticket
    return ticket
  }

  // MARK: Tasks

  /// Takes the lock for a task if it is free and no other task has waited longer.
  ///
  /// A thread that watches a lock kept for another task is next when the time is up.
  ///
  /// - Parameter ticket: the task's place in the order, if it has had to wait.
  /// - Returns: whether it did.
  mutating func take(_ ticket: Int?) -> Bool {
    guard !isHeld, ticket != nil || waiters.isEmpty, !isKept(from: ticket) else { return false }
    if isWatched && (ticket == nil || kept?.ticket != ticket) { return false }
    take()
    return true
  }

  /// Takes the lock for a task, or puts it in its place, and says whether it has to wait.
  mutating func lineUp(_ task: WaitingTask) -> Bool {
    if take(task.ticket) { return false }
    let ticket = task.ticket ?? newTicket()
    task.ticket = ticket
    insert(.task(task, ticket: ticket))
    return true
  }

  /// Takes out a task that won't try.
  ///
  /// - Returns: whether the caller has the lock now, to pass it on.
  mutating func leave(_ task: WaitingTask) -> Bool {
    let count = waiters.count
    waiters.removeAll { if case .task(let other, _) = $0 { other === task } else { false } }
    guard waiters.count == count else { return false }
    // It was woken for the lock. Another that the lock is kept for has been woken, too.
    if kept?.ticket == task.ticket { kept = nil }
    if isHeld || isWatched || kept != nil { return false }
    isHeld = true
    return true
  }

  // MARK: Passing on

  /// Gives the lock back.
  ///
  /// - Returns: the task to wake, and the thread to tell that it has the lock or that the lock is kept
  ///   for the task.
  mutating func next() -> (task: WaitingTask?, thread: ThreadEvent?, isHandedOver: Bool) {
    var woken: WaitingTask?
    if case .task(let task, let ticket)? = waiters.first {
      waiters.removeFirst()
      woken = task
      if task.passes > 0 {
        isHeld = false
        kept = (ticket, now() + .milliseconds(1 << min(task.passes, 4)))
        let thread = removeFirstThread()
        if thread != nil { isWatched = true }
        return (task, thread, false)
      }
    }
    let thread = removeFirstThread()
    isHeld = thread != nil
    return (woken, thread, true)
  }

  private mutating func removeFirstThread() -> ThreadEvent? {
    for (index, waiter) in waiters.enumerated() {
      guard case .thread(let event, _) = waiter else { continue }
      waiters.remove(at: index)
      return event
    }
    return nil
  }
}
