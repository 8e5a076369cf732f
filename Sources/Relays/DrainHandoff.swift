internal import Locking

/// The limits on how long a thread delivers for others, and on how far they can run ahead of it.
///
/// The thread that delivers continues until nothing waits. Other threads leave their values to it
/// and return. Once there are so many values that it can't keep up, a thread that sends waits a
/// little before it returns. So the number of waiting values is bounded by the number of threads
/// that send. When a thread has delivered for others for a while, it asks for relief. Then a thread
/// that sends waits to be given the gate, and the thread that delivered returns.
///
/// The main thread has twice the room, so it waits only for what it has sent itself. It asks for
/// relief at once. It is asked only if no other thread has come for a long time.
///
/// Every wait is bounded, so nothing can deadlock. Everything here is under the lock of the relay
/// or the queue that it belongs to.
@usableFromInline struct DrainHandoff {
  /// The number of operations that may wait before threads that send wait, too.
  @usableFromInline static let room = 32
  /// The number of operations that a thread carries out before it asks for relief.
  static let patience = 1024
  /// The time for which a thread carries out operations before it asks for relief.
  static let span = Duration.microseconds(300)
  /// The time after which the main thread is asked as well.
  static let longSpan = Duration.milliseconds(8)

  /// The period during which one thread delivers.
  @usableFromInline struct Shift {
    /// The number of operations that the thread has carried out.
    @usableFromInline var count = 0
    /// The number of operations after which it checks the clock and looks for relief.
    @usableFromInline var nextLook = 2
    /// The number of operations from one check to the next.
    ///
    /// It is chosen so that checks cost little if the operations are short, and come often if they
    /// are long.
    fileprivate var allowance = 1
    fileprivate var start: ContinuousClock.Instant?
    fileprivate var lastLook: ContinuousClock.Instant?
    fileprivate var isOnMain = false

    @usableFromInline init() {}

    /// Prepares a check; it is called outside the lock.
    @usableFromInline mutating func prepare() {
      if start == nil { isOnMain = MainActor.isCurrent }
    }
  }

  /// A thread that waits.
  @usableFromInline final class Waiter: Sendable {
    fileprivate enum News: Int {
      case room = 1
      case gate = 2
    }

    let isOnMain: Bool
    /// True if the thread can be given the gate.
    let mayDeliver: Bool
    fileprivate let news = OneTimeWord()

    fileprivate init(isOnMain: Bool, mayDeliver: Bool) {
      self.isOnMain = isOnMain
      self.mayDeliver = mayDeliver
    }

    /// Gives the gate to the thread.
    @usableFromInline func takeOver() { news.set(News.gate.rawValue) }
  }

  /// The waiting threads, in the order in which they came.
  private var waiters: [Waiter] = []
  /// True if the thread that delivers has asked for relief.
  private var isAsked = false
  /// True if an offer was in vain since relief was last asked for.
  private var isRefused = false
  /// True if no thread has come for a long time.
  private var isOverdue = false
  /// The recent time from one check to the next.
  private var step = Duration.zero

  /// The number of operations that the thread that delivers had taken out and not carried out.
  ///
  /// It is updated at each check. These operations count as waiting. Otherwise each thread that
  /// takes over would take all operations, and would let the threads that wait for room continue.
  /// Then more would come in than goes out.
  @usableFromInline private(set) var inHand = 0

  @usableFromInline init() {}

  /// True if a thread that sends should offer itself.
  @usableFromInline var isWanted: Bool { isAsked && !isRefused }

  // MARK: The thread that delivers

  /// Notes that the thread that delivers has `count` operations in hand.
  @usableFromInline mutating func hold(_ count: Int) { inHand = count }

  /// Checks whether another thread is to take over, and returns it.
  mutating func look(_ shift: inout Shift) -> Waiter? {
    let now = ContinuousClock.now
    if let last = shift.lastLook {
      step = last.duration(to: now)
      if step > .microseconds(100) {
        shift.allowance = 1
      } else if step < .microseconds(20) {
        shift.allowance = min(2 * shift.allowance, 256)
      }
    }
    shift.lastLook = now
    shift.nextLook = shift.count + shift.allowance
    let start = shift.start ?? now
    shift.start = start
    let duration = start.duration(to: now)
    if shift.isOnMain || shift.count >= Self.patience || duration > Self.span {
      isAsked = true
      isRefused = false
      isOverdue = shift.count >= 4 * Self.patience || duration > Self.longSpan
    }
    return isAsked ? takeSuccessor() : nil
  }

  /// Returns the thread that is to take over before more is taken, or nil.
  @usableFromInline mutating func relieve(_ shift: Shift) -> Waiter? {
    guard !waiters.isEmpty, isAsked || (shift.count == 0 && MainActor.isCurrent) else { return nil }
    return takeSuccessor()
  }

  /// Removes and returns the thread that is to take over.
  mutating func takeSuccessor() -> Waiter? {
    let index =
      waiters.firstIndex { $0.mayDeliver && !$0.isOnMain }
      ?? (isOverdue ? waiters.firstIndex { $0.mayDeliver } : nil)
    guard let index else { return nil }
    stopAsking()
    return waiters.remove(at: index)
  }

  /// Removes the waiting threads, if there is room for what they send while `waiting` operations
  /// wait.
  ///
  /// The caller lets them continue once the lock isn't held.
  @usableFromInline mutating func takeWaiters(beside waiting: Int = 0) -> [Waiter] {
    // They aren't released one by one, which would wake a thread for each operation.
    guard !waiters.isEmpty, inHand + waiting <= Self.room / 2 else { return [] }
    let all = waiters
    waiters = []
    return all
  }

  @usableFromInline static func goOn(_ waiters: [Waiter]) {
    for waiter in waiters { waiter.news.set(Waiter.News.room.rawValue) }
  }

  /// Withdraws the request for relief.
  @usableFromInline mutating func stopAsking() {
    isAsked = false
    isRefused = false
    isOverdue = false
  }

  // MARK: The threads that wait

  /// Returns whether a thread that has left an operation has to wait, if `count` operations wait.
  @usableFromInline func isBehind(_ count: Int) -> Bool { inHand + count > Self.room || isWanted }

  /// Adds a thread to those that wait, and returns it with the longest time for which it waits.
  ///
  /// `count` is the number of waiting operations. The result is nil if the thread needn't wait.
  mutating func wait(
    behind count: Int, isOnMain: Bool, mayDeliver: Bool
  ) -> (Waiter, Duration)? {
    let count = inHand + count
    let isOffer = isWanted && mayDeliver && (!isOnMain || isOverdue)
    guard isOffer || count > (isOnMain ? 2 : 1) * Self.room else { return nil }
    let waiter = Waiter(isOnMain: isOnMain, mayDeliver: mayDeliver)
    waiters.append(waiter)
    // The wait is longer if more operations wait, and if callbacks take longer: a sender must not
    // be faster than the callbacks.
    let share = max(Duration.milliseconds(1) * count / Self.room, step * 8)
    let most = Duration.milliseconds(isOnMain ? 10 : 100)
    // An offer stands until the thread that delivers checks again.
    return (waiter, min(most, isOffer ? max(.milliseconds(10), step * 2) : share))
  }

  /// Removes a thread that no longer waits, and returns whether it was still in the queue.
  private mutating func withdraw(_ waiter: Waiter) -> Bool {
    guard let index = waiters.firstIndex(where: { $0 === waiter }) else { return false }
    waiters.remove(at: index)
    if waiter.mayDeliver { isRefused = true }
    return true
  }

  /// Waits until the thread that delivers has caught up or gives the gate away, or for some
  /// milliseconds.
  ///
  /// - Parameters:
  ///   - mayDeliver: True if the calling thread can be given the gate.
  ///   - access: Calls the closure with the handoff and the number of waiting operations, under its
  ///     lock. It may leave that out if the calling thread is the one that delivers.
  /// - Returns: true if the calling thread has the gate from now on.
  static func wait(mayDeliver: Bool, _ access: ((inout DrainHandoff, Int) -> Void) -> Void) -> Bool
  {
    let isOnMain = MainActor.isCurrent
    var wait: (waiter: Waiter, time: Duration)?
    access { wait = $0.wait(behind: $1, isOnMain: isOnMain, mayDeliver: mayDeliver) }
    guard let (waiter, time) = wait else { return false }
    var news = waiter.news.wait(atMost: time)
    if news == 0 {
      var isOver = false
      access { relief, _ in isOver = relief.withdraw(waiter) }
      if isOver { return false }
      // Another thread has removed the waiter, and announces the reason at any moment.
      news = waiter.news.wait()
    }
    return news == Waiter.News.gate.rawValue
  }
}
