extension Signal {
  /// Returns a signal whose values come from a closure, for a source that isn't a relay.
  ///
  ///     let ticks = Signal<Date>.create { send, _ in
  ///       let timer = Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { _ in send(.now) }
  ///       return { timer.invalidate() }
  ///     }
  ///
  /// Each subscription calls the closure once, and passes on the values that it sends. They may be
  /// sent on several threads, also before the closure returns. The subscription receives them one
  /// at a time and in one order, like those of a ``Relay``.
  ///
  /// - Parameter start: The closure. Its first argument sends a value, and its second one says that
  ///   no value will come any more. It returns a closure that is called once, when the subscription
  ///   is cancelled or ends.
  /// - Returns: A signal that does nothing until it is subscribed to.
  public static func create(
    _ start:
      @escaping @Sendable (
        _ send: @escaping @Sendable (Output) -> Void, _ end: @escaping @Sendable () -> Void
      ) -> @Sendable () -> Void
  ) -> Signal {
    Signal { receive, end in
      let core = RelayCore<Output>()
      let upstreams = CompositeToken()
      upstreams.add(
        core.attach(
          receive,
          {
            if upstreams.finish() { end?() }
          }))
      let stop = start({ core.send($0) }, { core.end() })
      upstreams.add(SubscriptionToken(source: OnCancel(stop)))
      return SubscriptionToken(source: upstreams)
    }
  }
}
