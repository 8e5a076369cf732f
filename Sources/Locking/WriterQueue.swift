/// The threads and tasks that wait for a writers' lock, in the order in which they came.
///
/// The queue decides who is next; its owner carries that out. Everything in it is under the lock of
/// the owner. While the writers' lock is free and somebody waits, either a thread watches, or a
/// task was woken and a guard runs. The guard wakes the next task if that one doesn't come.
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

  /// The waiters that a lock is passed on to.
  ///
  /// The task is to be woken. The thread is to be notified that it has the lock or, if it isn't
  /// handed over, that the lock is kept for the task.
  typealias Next = (task: WaitingTask?, thread: OneTimeWord?, isHandedOver: Bool)

  /// The next step for the guard.
  enum GuardStep {
    /// No task depends on one that was woken any more.
    case ended
    /// Look again after a while.
    case waiting
    /// The lock was passed on: do what that needs, and look again after a while.
    case passed(Next)
  }

  private var isHeld = false
  private var tasks = TicketList<WaitingTask>()
  private var threads = TicketList<OneTimeWord>()
  private var tickets = 0
  /// The task that the free lock is kept for, and the end of that time; the task has been woken.
  private var kept: (ticket: Int, end: ContinuousClock.Instant)?
  /// True if a thread watches for the end of that time.
  private var isWatched = false
  /// True while a guard runs.
  private var isGuarded = false
  /// True if the lock was passed on since the guard last looked.
  private var wasPassedOn = false
  /// The ticket of the task that was woken last, if one was.
  private var woken: Int?
  /// The number of times that the guard still waits for that task.
  private var looks = 0
  /// The number of times that the guard didn't wait any longer for a task, by the task's ticket.
  ///
  /// It waits twice as long each time, so a task whose actor is always late has its turn, too.
  private var late: [Int: Int] = [:]

  /// Returns the time; a test passes its own function.
  private let now: @Sendable () -> ContinuousClock.Instant

  init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) { self.now = now }

  var count: Int { tasks.count + threads.count }

  private var isEmpty: Bool { tasks.isEmpty && threads.isEmpty }

  private mutating func newTicket() -> Int {
    tickets += 1
    return tickets
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
    guard isEmpty else { return false }
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
    threads.insert(event, ticket: ticket(of: &thread))
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
    guard !isHeld, ticket != nil || isEmpty, !isKept(from: ticket) else { return false }
    if isWatched && (ticket == nil || kept?.ticket != ticket) { return false }
    take()
    if let ticket { late[ticket] = nil }
    return true
  }

  /// Takes the lock for a task, or inserts the task at its position in the queue.
  ///
  /// - Returns: true if the task has to wait.
  mutating func lineUp(_ task: WaitingTask) -> Bool {
    if take(task.ticket) { return false }
    let ticket = task.ticket ?? newTicket()
    task.ticket = ticket
    tasks.insert(task, ticket: ticket)
    return true
  }

  /// Removes a task that won't try to take the lock.
  ///
  /// - Returns: true if the caller has the lock now, and must pass it on.
  mutating func leave(_ task: WaitingTask) -> Bool {
    guard let ticket = task.ticket else { return false }
    late[ticket] = nil
    if tasks.remove(ticket) != nil { return false }
    // The task was woken for the lock. If the lock is kept for another task, that one was woken,
    // too.
    if kept?.ticket == ticket { kept = nil }
    if isHeld || isWatched || kept != nil { return false }
    isHeld = true
    return true
  }

  // MARK: Passing on

  /// Releases the lock.
  ///
  /// - Returns: The waiters that the lock is passed on to.
  mutating func next() -> Next {
    wasPassedOn = true
    (woken, looks) = (nil, 0)
    var first: WaitingTask?
    if let next = tasks.firstTicket, next < threads.firstTicket ?? .max,
      let (task, ticket) = tasks.removeFirst()
    {
      first = task
      woken = ticket
      looks = late[ticket].map { 1 << min($0, 8) } ?? 0
      if task.passes > 0 {
        isHeld = false
        kept = (ticket, now() + .milliseconds(1 << min(task.passes, 3)))
        let thread = threads.removeFirst()?.element
        if thread != nil { isWatched = true }
        return (task, thread, false)
      }
    }
    let thread = threads.removeFirst()?.element
    isHeld = thread != nil
    return (first, thread, true)
  }

  // MARK: The guard

  // A task that was woken comes once its actor is free, and until then nobody passes the lock on.
  // So while others wait, the guard does, if the task doesn't come within a while.

  /// True if the lock is free, and all waiters depend on a task that was woken.
  private var isFreeAndAwaited: Bool { !isHeld && !isWatched && !isEmpty }

  /// Returns true if the caller must start a guard.
  ///
  /// It is called after the lock was passed on, and after a task has lined up.
  mutating func needsGuard() -> Bool {
    guard isFreeAndAwaited, !isGuarded else { return false }
    isGuarded = true
    wasPassedOn = false
    return true
  }

  /// Passes on the lock if nobody has taken it since the guard last looked.
  ///
  /// A task that comes later keeps its position in the order.
  mutating func guardStep() -> GuardStep {
    guard isFreeAndAwaited else {
      isGuarded = false
      return .ended
    }
    if wasPassedOn || isKept(from: nil) {
      wasPassedOn = false
      return .waiting
    }
    if looks > 0 {
      looks -= 1
      return .waiting
    }
    if let woken { late[woken, default: 0] += 1 }
    take()
    let next = next()
    wasPassedOn = false
    return .passed(next)
  }
}
