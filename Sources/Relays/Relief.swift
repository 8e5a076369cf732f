internal import Locking

/// How a thread that delivers for others without end hands that over to one of them.
///
/// Whoever delivers goes on until nothing waits, so a thread that sends faster than values are
/// delivered would never let it go. After so many values it asks for relief. A thread that sends
/// then offers itself and waits a little, in vain if a callback takes long; between two batches the
/// deliverer gives it the gate, and goes. Nobody waits without a bound, so nothing can deadlock.
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

  @usableFromInline init() {}

  @usableFromInline var isWanted: Bool { deliverer != 0 }

  /// The calling thread has carried out `count` operations, and more wait.
  ///
  /// - Returns: whether another thread has the gate from now on.
  @usableFromInline mutating func handOver(after count: Int) -> Bool {
    if candidate != 0 {
      successor = candidate
      candidate = 0
      deliverer = 0
      return true
    }
    if count >= Self.patience { deliverer = CurrentThread.token }
    return false
  }

  /// Nothing waits any more.
  @usableFromInline mutating func reset() {
    deliverer = 0
    candidate = 0
  }

  /// Offers the calling thread, unless it is the deliverer's own or another has offered itself.
  private mutating func offer() -> Bool {
    guard deliverer != 0, deliverer != CurrentThread.token, candidate == 0 else { return false }
    candidate = CurrentThread.token
    return true
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
    if isLast { candidate = 0 }
    return isLast ? .declined : .open
  }

  /// Offers the calling thread, and waits a little for the answer.
  ///
  /// - Parameter access: Gives the closure access to the relief, under its lock.
  /// - Returns: whether the calling thread has the gate from now on.
  static func offer(_ access: ((inout Relief) -> Bool) -> Bool) -> Bool {
    var answer = Answer.open
    guard access({ $0.offer() }) else { return false }
    for round in 0...1000 {
      _ = access {
        answer = $0.answer(isLast: round == 1000)
        return true
      }
      guard answer == .open else { break }
      CurrentThread.yield()
    }
    return answer == .accepted
  }
}
