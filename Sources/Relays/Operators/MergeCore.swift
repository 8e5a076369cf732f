internal import Locking

/// The object in which the values of several publishers come together for one subscription.
///
/// They may come on several threads, and from inside a callback. The core puts them in one order.
@usableFromInline final class MergeCore<Output: Sendable>: Sendable {
  @usableFromInline let core = RelayCore<Output>()
  private let publishers = CompositeToken()
  private let upstreams = CompositeToken()
  /// The number of publishers that haven't ended.
  private let open: AtomicWord

  @usableFromInline init(
    of count: Int, _ receive: @escaping @Sendable (Output) -> Void, _ end: (@Sendable () -> Void)?
  ) {
    open = AtomicWord(count)
    upstreams.add(core.attach(receive, end))
    upstreams.add(SubscriptionToken(source: publishers))
    if count == 0 { self.end() }
  }

  @usableFromInline func join<Value>(
    _ signal: Signal<Value>, onEnd: (@Sendable () -> Void)? = nil,
    _ receive: @escaping @Sendable (Value) -> Void
  ) {
    // The end of an earlier publisher may have been the end of all.
    guard !publishers.isDone else { return }
    publishers.add(signal.attach(receive, onEnd ?? { self.close() }))
  }

  /// Notes that a publisher has ended; when all have, the core ends.
  @usableFromInline func close() {
    if open.add(-1) == 0 { end() }
  }

  /// Ends after the waiting values; values that publishers still send are ignored.
  @usableFromInline func end() {
    core.end()
    publishers.finish()
  }

  @usableFromInline var token: SubscriptionToken { SubscriptionToken(source: upstreams) }
}
