internal import Locking

/// How a thread that delivers for others without end hands that over to one of them.
///
/// Whoever delivers goes on until nothing waits, so a thread that sends faster than values are
/// delivered would never let it go. After so many values it asks for relief, and from then on every few
/// microseconds, or after each value if that takes longer. A thread that sends offers itself and waits
/// about that long, though 10 ms at most and once each time; the deliverer gives it the gate, and goes.
/// No wait is without a bound, so nothing can deadlock.
///
/// All of it is under the lock of the relay or the queue that it belongs to.
@usableFromInline struct Relief {
  /// How many operations a thread carries out before it asks.
  @usableFromInline static let patience = 1024

  /// The thread that asks, or 0.
  private var deliverer = 0
  /// The thread that offers itself, or 0.
  private var candidate = 0
  /// The thread that was given the gate and hasn't noticed yet, or 0.
  private var successor = 0
  /// Whether an offer was in vain since relief was last asked for.
  private var isRefused = false
  /// When that was, and how long it was after the time before.
  private var start: ContinuousClock.Instant?
  private var duration = Duration.zero
  /// How many operations may be carried out before relief is asked for again, so that this costs little
  /// where they are short, and comes often where they are long.
  @usableFromInline private(set) var allowance = 1

  @usableFromInline init() {}

  @usableFromInline var isWanted: Bool { deliverer != 0 && !isRefused }

  /// The calling thread has carried out `count` operations, and more wait.
  ///
  /// - Returns: whether another thread has the gate from now on.
  @usableFromInline mutating func handOver(after count: Int) -> Bool {
    guard count >= Self.patience else { return false }
    if candidate != 0 {
      successor = candidate
      candidate = 0
      stopAsking()
      return true
    }
    deliverer = CurrentThread.token
    isRefused = false
    let now = ContinuousClock.now
    if let start {
      duration = start.duration(to: now)
      if duration > .microseconds(100) {
        allowance = 1
      } else if duration < .microseconds(20) {
        allowance = min(2 * allowance, 256)
      }
    }
    start = now
    return false
  }

  /// Nothing waits any more.
  @usableFromInline mutating func reset() {
    candidate = 0
    stopAsking()
  }

  private mutating func stopAsking() {
    deliverer = 0
    start = nil
    duration = .zero
    allowance = 1
  }

  /// Offers the calling thread, unless it is the deliverer's own or another has offered itself.
  ///
  /// - Returns: How long to wait for the answer, or nil.
  private mutating func offer() -> Duration? {
    guard isWanted, deliverer != CurrentThread.token, candidate == 0 else { return nil }
    candidate = CurrentThread.token
    return min(.milliseconds(10), max(.microseconds(100), duration * 2))
  }

  /// Lets the deliverer catch up with a thread that leaves it other work than values; waits a little.
  ///
  /// - Parameter access: Gives the closure access to the relief, under its lock.
  static func stepBack(_ access: ((inout Relief) -> Void) -> Void) {
    let end = ContinuousClock.now + .milliseconds(10)
    while ContinuousClock.now < end {
      var isBehind = false
      access { isBehind = $0.deliverer != 0 && $0.deliverer != CurrentThread.token }
      guard isBehind else { return }
      CurrentThread.yield()
    }
  }

  private enum Answer {
    case accepted
    case declined
    case open
  }

  /// Whether the offer of the calling thread was accepted; if it `isLast`, it is withdrawn.
  private mutating func answer(isLast: Bool) -> Answer {
    let thread = CurrentThread.token
    if successor == thread {
      successor = 0
      return .accepted
    }
    guard candidate == thread else { return .declined }
    guard isLast else { return .open }
    candidate = 0
    isRefused = true
    return .declined
  }

  /// Offers the calling thread, and waits a little for the answer.
  ///
  /// - Parameter access: Gives the closure access to the relief, under its lock.
  /// - Returns: whether the calling thread has the gate from now on.
  static func offer(_ access: ((inout Relief) -> Void) -> Void) -> Bool {
    var patience: Duration?
    access { patience = $0.offer() }
    guard let patience else { return false }
    let end = ContinuousClock.now + patience
    var answer = Answer.open
    while answer == .open {
      CurrentThread.yield()
      let isLast = ContinuousClock.now >= end
      access { answer = $0.answer(isLast: isLast) }
    }
    return answer == .accepted
  }
}
