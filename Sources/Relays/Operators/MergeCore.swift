internal import Locking

/// Where the values of several publishers come together for one subscription.
///
/// They may come on several threads, and from inside a callback; the core puts them in one order.
@usableFromInline final class MergeCore<Output: Sendable>: Sendable {
  @usableFromInline let core = RelayCore<Output>()
  private let publishers = CompositeToken()
  private let upstreams = CompositeToken()
  /// How many publishers haven't ended.
  private let open: AtomicWord

  /// A core of `count` publishers that passes values on to `receive`.
  @usableFromInline init(
    of count: Int, _ receive: @escaping @Sendable (Output) -> Void, _ end: (@Sendable () -> Void)?
  ) {
    open = AtomicWord(count)
    upstreams.add(core.attach(receive, end))
    upstreams.add(SubscriptionToken(source: publishers))
    if count == 0 { self.end() }
  }

  /// Subscribes to a publisher; `receive` says what its values lead to.
  @usableFromInline func join<Value>(
    _ signal: Signal<Value>, onEnd: (@Sendable () -> Void)? = nil,
    _ receive: @escaping @Sendable (Value) -> Void
  ) {
    // An end of one of those before may have been the end of all.
    guard !publishers.isDone else { return }
    publishers.add(signal.attach(receive, onEnd ?? { self.close() }))
  }

  /// Says that a publisher has ended; when all have, so has the core.
  @usableFromInline func close() {
    if open.add(-1) == 0 { end() }
  }

  /// Ends after what waits; what publishers still send leads nowhere.
  @usableFromInline func end() {
    core.end()
    publishers.finish()
  }

  @usableFromInline var token: SubscriptionToken { SubscriptionToken(source: upstreams) }
}
