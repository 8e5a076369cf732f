public import Locking

/// One subscription as the relay sees it.
///
/// `receive` is a `let` and is never cleared: a closure read from a variable costs a retain and a
/// release for each value. Cancelling releases the whole object instead.
@usableFromInline final class Subscriber<Value: Sendable>: @unchecked Sendable {
  // @unchecked: `slot` belongs to whoever holds the relay's gate.
  @usableFromInline let receive: @Sendable (Value) -> Void
  @usableFromInline let end: (@Sendable () -> Void)?
  @usableFromInline let live = AtomicWord(1)

  /// The place among the relay's slots, or -1.
  var slot = -1

  init(receive: @escaping @Sendable (Value) -> Void, end: (@Sendable () -> Void)?) {
    self.receive = receive
    self.end = end
  }

  @usableFromInline var isLive: Bool { live.loadRelaxed() != 0 }

  func silence() { live.store(0) }
}
