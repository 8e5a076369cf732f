internal import Locking

/// How a thread that delivers is kept from delivering for others without end, and they from going ahead
/// of it without end.
///
/// Who delivers goes on until nothing waits. Others leave their values to it, and go; but once there are
/// so many that it can't keep up, a thread that sends waits a little before it goes. So what waits is
/// bounded by the number of threads that send. When a thread has delivered for others for a while, it asks
/// for relief: a thread that sends then waits to be given the gate, and the deliverer goes.
///
/// The main thread has twice the room, so it waits only for what it has sent itself; it asks for
/// relief at once, and is asked only where nobody else has come for long.
///
/// No wait is without a bound, so nothing can deadlock. All of it is under the lock of the relay or the
/// queue that it belongs to.
@usableFromInline struct DrainHandoff {
  /// How much may wait before those who send wait, too.
  @usableFromInline static let room = 32
  /// How many operations a thread carries out before it asks for relief.
  static let patience = 1024
  /// How long a thread carries out operations before it asks for relief.
  static let span = Duration.microseconds(300)
  /// How long it takes until the main thread is asked as well.
  static let longSpan = Duration.milliseconds(8)

  /// The time that a thread is at it.
  @usableFromInline struct Shift {
    /// How many operations it has carried out.
    @usableFromInline var count = 0
    /// After how many it looks at the clock and for relief.
    @usableFromInline var nextLook = 2
    /// How many operations are carried out from look to look, so that this costs little where they are
    /// short, and comes often where they are long.
    fileprivate var allowance = 1
    fileprivate var start: ContinuousClock.Instant?
    fileprivate var lastLook: ContinuousClock.Instant?
    fileprivate var isOnMain = false

    @usableFromInline init() {}

    /// To be called before a look, outside the lock.
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
    /// Whether it can be given the gate.
    let mayDeliver: Bool
    fileprivate let news = OneTimeWord()

    fileprivate init(isOnMain: Bool, mayDeliver: Bool) {
      self.isOnMain = isOnMain
      self.mayDeliver = mayDeliver
    }

    /// Gives the gate to the thread.
    @usableFromInline func takeOver() { news.set(News.gate.rawValue) }
  }

  /// Those who wait, in the order they came.
  private var waiters: [Waiter] = []
  /// Whether the deliverer has asked for relief.
  private var isAsked = false
  /// Whether an offer was in vain since relief was last asked for.
  private var isRefused = false
  /// Whether nobody has come for long.
  private var isOverdue = false
  /// How long it took lately from look to look.
  private var step = Duration.zero

  /// How many operations the deliverer has taken out and not carried out, as of its last look.
  ///
  /// They wait like the others: where each thread that takes over took all, and let those go on who wait
  /// for room, more would come in than goes out.
  @usableFromInline private(set) var inHand = 0

  @usableFromInline init() {}

  /// Whether a thread that sends should offer itself.
  @usableFromInline var isWanted: Bool { isAsked && !isRefused }

  // MARK: Who delivers

  /// Notes that the deliverer has `count` operations in hand.
  @usableFromInline mutating func hold(_ count: Int) { inHand = count }

  /// Looks whether another thread is to go on.
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

  /// Whether another thread is to go on before more is taken.
  @usableFromInline mutating func relieve(_ shift: Shift) -> Waiter? {
    guard !waiters.isEmpty, isAsked || (shift.count == 0 && MainActor.isCurrent) else { return nil }
    return takeSuccessor()
  }

  /// The thread that is to go on.
  mutating func takeSuccessor() -> Waiter? {
    let index =
      waiters.firstIndex { $0.mayDeliver && !$0.isOnMain }
      ?? (isOverdue ? waiters.firstIndex { $0.mayDeliver } : nil)
    guard let index else { return nil }
    stopAsking()
    return waiters.remove(at: index)
  }

  /// Takes out those who wait, if there is room for what they send while `waiting` operations wait.
  ///
  /// The caller has them go on once the lock isn't held.
  @usableFromInline mutating func takeWaiters(beside waiting: Int = 0) -> [Waiter] {
    // Not one by one, which would wake a thread for each operation.
    guard !waiters.isEmpty, inHand + waiting <= Self.room / 2 else { return [] }
    let all = waiters
    waiters = []
    return all
  }

  /// Has threads go on that waited.
  @usableFromInline static func goOn(_ waiters: [Waiter]) {
    for waiter in waiters { waiter.news.set(Waiter.News.room.rawValue) }
  }

  /// Nothing waits any more.
  @usableFromInline mutating func stopAsking() {
    isAsked = false
    isRefused = false
    isOverdue = false
  }

  // MARK: Who waits

  /// Whether a thread that has left something has to wait, if `count` operations wait.
  @usableFromInline func isBehind(_ count: Int) -> Bool { inHand + count > Self.room || isWanted }

  private mutating func wait(
    behind count: Int, isOnMain: Bool, mayDeliver: Bool
  ) -> (Waiter, Duration)? {
    let count = inHand + count
    let isOffer = isWanted && mayDeliver && (!isOnMain || isOverdue)
    guard isOffer || count > (isOnMain ? 2 : 1) * Self.room else { return nil }
    let waiter = Waiter(isOnMain: isOnMain, mayDeliver: mayDeliver)
    waiters.append(waiter)
    // The more waits the longer, and the longer a callback takes: who sends is to be no faster than those are.
    let share = max(Duration.milliseconds(1) * count / Self.room, step * 8)
    let most = Duration.milliseconds(isOnMain ? 10 : 100)
    // Until the deliverer looks again.
    return (waiter, min(most, isOffer ? max(.milliseconds(10), step * 2) : share))
  }

  /// Takes out a thread that waits no longer, and says whether it was still there.
  private mutating func withdraw(_ waiter: Waiter) -> Bool {
    guard let index = waiters.firstIndex(where: { $0 === waiter }) else { return false }
    waiters.remove(at: index)
    if waiter.mayDeliver { isRefused = true }
    return true
  }

  /// Waits until the deliverer has caught up, or gives the gate away, or some milliseconds have passed.
  ///
  /// - Parameters:
  ///   - mayDeliver: Whether the calling thread can be given the gate.
  ///   - access: Gives the closure access to the relief and to how much waits, under its lock; it may
  ///     leave that if the calling thread is the one that delivers.
  /// - Returns: whether the calling thread has the gate from now on.
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
      // Somebody has taken it out, and says so any moment.
      news = waiter.news.wait()
    }
    return news == Waiter.News.gate.rawValue
  }
}
