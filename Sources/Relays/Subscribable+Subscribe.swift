extension Subscribable {
  /// Calls `body` with each value, on the thread that delivers.
  ///
  /// State of the main actor can't be reached from `body`; say `subscribe(on: .mainActor)` for that.
  ///
  /// - Returns: the subscription, which ends when the token is cancelled or dropped.
  @inlinable public func subscribe(
    _ body: @escaping @Sendable (Output) -> Void
  ) -> SubscriptionToken {
    let signal = signal
    guard signal.isChain else { return signal.attach(body, nil) }
    let end = ChainTerminator()
    return end.token(of: signal.attach({ if end.isLive { body($0) } }, nil))
  }

  /// Calls `body` with each value on the main actor, in order.
  ///
  /// Where the value is sent on the main actor already, `body` is called straight. Otherwise the
  /// value waits in the main actor's queue, which is one for all who deliver there.
  ///
  /// - Returns: the subscription, which ends when the token is cancelled or dropped.
  public func subscribe(
    on place: MainActorPlace, _ body: @escaping @MainActor (Output) -> Void
  ) -> SubscriptionToken {
    ReceiveOn.subscribe(to: signal, through: .main) { value in
      MainActor.assumeIsolated { body(value) }
    }
  }

  /// Calls `body` with `actor`, held weakly, and each value, on that actor and in order.
  ///
  ///     token = prices.subscribe(on: self) { shop, price in shop.price = price }
  ///
  /// The actor's state is reached through the first parameter, not through `self`.
  /// Where the value is delivered on that actor already, `body` is called straight. Otherwise the
  /// value waits in the actor's queue, which is one for all who deliver there.
  ///
  /// - Returns: the subscription, which ends when the token is cancelled or dropped.
  public func subscribe<A: Actor>(
    on actor: A, _ body: @escaping @Sendable (isolated A, Output) -> Void
  ) -> SubscriptionToken {
    ReceiveOn.subscribe(to: signal, through: .queue(of: actor)) { [weak actor] value in
      guard let actor else { return }
      actor.assumeIsolated { body($0, value) }
    }
  }
}

extension Relay {
  /// Calls `body` with each value sent from now on, on the thread that delivers.
  ///
  /// - Returns: the subscription, which ends when the token is cancelled or dropped.
  @inlinable public func subscribe(
    _ body: @escaping @Sendable (Output) -> Void
  ) -> SubscriptionToken {
    core.subscribe(Subscriber(receive: body))
  }
}

extension StateRelay {
  /// Calls `body` with the current value and each one set from now on.
  ///
  /// It is called on the thread that delivers.
  ///
  /// - Returns: the subscription, which ends when the token is cancelled or dropped.
  @inlinable public func subscribe(
    _ body: @escaping @Sendable (Value) -> Void
  ) -> SubscriptionToken {
    // Its value goes with the relay.
    defer { withExtendedLifetime(self) {} }
    return core.subscribe(Subscriber(receive: body))
  }
}
