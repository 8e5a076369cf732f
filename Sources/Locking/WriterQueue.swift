/// The threads and tasks that wait for a writer lock, in the order in which they came.
///
/// The queue decides who is next; its owner carries that out. Everything in it is under the lock of
/// the owner. While the writer lock is free and somebody waits, either a task was woken and will
/// try, or a thread watches.
struct WriterQueue: Sendable {
  /// A thread that wants the lock.
  struct Thread {
    /// The thread's position in the order, once it has had to wait.
    fileprivate var ticket: Int?
    /// True if this thread checks whether the lock is still kept for a task.
    var isWatching = false
  }

  /// The next step for a thread.
  enum Step {
    case taken
    case waiting(OneTimeWord)
    /// Ask again in a moment.
    case watching
  }

  /// The word that a thread that waits gets.
  enum News: Int {
    /// The lock was handed over.
    case handed = 1
    /// The lock is free, and is kept for a task for a moment.
    case kept = 2
  }

  private enum Waiter: Sendable {
    case thread(OneTimeWord, ticket: Int)
    case task(WaitingTask, ticket: Int)

    var ticket: Int {
      switch self {
      case .thread(_, let ticket), .task(_, let ticket): ticket
      }
    }
  }

  private var isHeld = false
  /// The waiters, in the order of their tickets.
  private var waiters: [Waiter] = []
  private var threadCount = 0
  private var tickets = 0
  /// The task that the free lock is kept for, and the end of that time; the task has been woken.
  private var kept: (ticket: Int, end: ContinuousClock.Instant)?
  /// True if a thread watches for the end of that time.
  private var isWatched = false

  /// Returns the time; a test passes its own function.
  private let now: @Sendable () -> ContinuousClock.Instant

  init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) { self.now = now }

  var count: Int { waiters.count }

  private mutating func newTicket() -> Int {
    tickets += 1
    return tickets
  }

  private mutating func insert(_ waiter: Waiter) {
    // Most waiters are inserted at the end.
    var index = waiters.count
    while index > 0, waiters[index - 1].ticket > waiter.ticket { index -= 1 }
    waiters.insert(waiter, at: index)
    if case .thread = waiter { threadCount += 1 }
  }

  /// Returns whether the lock is kept for a task with another ticket.
  private func isKept(from ticket: Int?) -> Bool {
    guard let kept, kept.ticket != ticket else { return false }
    return now() < kept.end
  }

  private mutating func take() {
    isHeld = true
    kept = nil
  }

  // MARK: Fast paths

  /// Takes the lock if it is free and isn't kept for a waiter.
  @inline(__always)
  mutating func takeFree() -> Bool {
    guard !isHeld, !isWatched, case nil = kept else { return false }
    isHeld = true
    return true
  }

  /// Takes the lock if it is free, and the time is up for which it was kept for a waiter.
  ///
  /// The waiter may need the calling thread in order to come. If it comes late, it lines up again.
  mutating func takeUnkept() -> Bool {
    guard !isHeld, !isWatched, !isKept(from: nil) else { return false }
    take()
    return true
  }

  /// Releases the lock if nobody waits.
  @inline(__always)
  mutating func giveBack() -> Bool {
    guard waiters.isEmpty else { return false }
    isHeld = false
    return true
  }

  // MARK: Threads

  /// Takes the lock if it is free, and otherwise returns how to wait.
  ///
  /// If the lock is free, no thread waits. A task may wait, but it may need the calling thread in
  /// order to continue. So the lock is kept for a task only for a short time, and only if the task
  /// was passed over before.
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
    let event = OneTimeWord()
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
  /// If the lock is kept for another task and a thread watches it, that thread is next when the
  /// time is up.
  ///
  /// - Parameter ticket: The task's position in the order, if it has had to wait.
  /// - Returns: true if the lock was taken.
  mutating func take(_ ticket: Int?) -> Bool {
    guard !isHeld, ticket != nil || waiters.isEmpty, !isKept(from: ticket) else { return false }
    if isWatched && (ticket == nil || kept?.ticket != ticket) { return false }
    take()
    return true
  }

  /// Takes the lock for a task, or inserts the task at its position in the queue.
  ///
  /// - Returns: true if the task has to wait.
  mutating func lineUp(_ task: WaitingTask) -> Bool {
    if take(task.ticket) { return false }
    let ticket = task.ticket ?? newTicket()
    task.ticket = ticket
    insert(.task(task, ticket: ticket))
    return true
  }

  /// Removes a task that won't try to take the lock.
  ///
  /// - Returns: true if the caller has the lock now, and must pass it on.
  mutating func leave(_ task: WaitingTask) -> Bool {
    let count = waiters.count
    waiters.removeAll { if case .task(let other, _) = $0 { other === task } else { false } }
    guard waiters.count == count else { return false }
    // The task was woken for the lock. If the lock is kept for another task, that one was woken,
    // too.
    if kept?.ticket == task.ticket { kept = nil }
    if isHeld || isWatched || kept != nil { return false }
    isHeld = true
    return true
  }

  // MARK: Passing on

  /// Releases the lock.
  ///
  /// - Returns: The task to wake, and the thread to notify that it has the lock or that the lock is
  ///   kept for the task.
  mutating func next() -> (task: WaitingTask?, thread: OneTimeWord?, isHandedOver: Bool) {
    var woken: WaitingTask?
    if case .task(let task, let ticket)? = waiters.first {
      waiters.removeFirst()
      woken = task
      if task.passes > 0 {
        isHeld = false
        kept = (ticket, now() + .milliseconds(1 << min(task.passes, 3)))
        let thread = removeFirstThread()
        if thread != nil { isWatched = true }
        return (task, thread, false)
      }
    }
    let thread = removeFirstThread()
    isHeld = thread != nil
    return (woken, thread, true)
  }

  private mutating func removeFirstThread() -> OneTimeWord? {
    // Without this, each commit would go through all tasks that wait.
    if threadCount == 0 { return nil }
    for (index, waiter) in waiters.enumerated() {
      guard case .thread(let event, _) = waiter else { continue }
      waiters.remove(at: index)
      threadCount -= 1
      return event
    }
    return nil
  }
}
