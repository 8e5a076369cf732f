extension Subscribable {
  /// Calls `body` with each value, on the thread that delivers.
  ///
  /// `body` can't reach state of the main actor. Use `subscribe(on: .mainActor)` for that.
  ///
  /// - Returns: The subscription, which ends when the token is cancelled or released.
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
  /// If the value is sent on the main actor, `body` is called directly. In a callback of another
  /// context, it may wait for what the main actor still has to deliver. In the body of a commit, it
  /// waits for the end of the body. Otherwise the value waits in the main actor's queue, which
  /// everything that delivers there shares.
  ///
  /// - Returns: The subscription, which ends when the token is cancelled or released.
  public func subscribe(
    on place: Delivery.Main, _ body: @escaping @MainActor (Output) -> Void
  ) -> SubscriptionToken {
    ReceiveOn.subscribe(to: signal, through: .main) { value in
      MainActor.assumeIsolated { body(value) }
    }
  }

  /// Calls `body` on `actor` with each value, in order.
  ///
  ///     token = prices.subscribe(on: self) { shop, price in shop.price = price }
  ///
  /// The actor is held weakly. `body` reaches the actor's state through its first parameter, not
  /// through `self`. If the value is already delivered on that actor, `body` is called directly. In
  /// the body of a commit, it waits for the end of the body. Otherwise the value waits in the
  /// actor's queue, which everything that delivers there shares.
  ///
  /// - Returns: The subscription, which ends when the token is cancelled or released.
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
  /// - Returns: The subscription, which ends when the token is cancelled or released.
  @inlinable public func subscribe(
    _ body: @escaping @Sendable (Output) -> Void
  ) -> SubscriptionToken {
    core.subscribe(Subscriber(receive: body))
  }
}

extension StateRelay {
  /// Calls `body` with the current value and with each one set from now on.
  ///
  /// `body` is called on the thread that delivers.
  ///
  /// - Returns: The subscription, which ends when the token is cancelled or released.
  @inlinable public func subscribe(
    _ body: @escaping @Sendable (Value) -> Void
  ) -> SubscriptionToken {
    // The value is released with the relay.
    defer { withExtendedLifetime(self) {} }
    return core.subscribe(Subscriber(receive: body))
  }
}
