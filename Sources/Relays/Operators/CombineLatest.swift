public import Locking

/// Combines the latest values of several publishers, whenever one of them has a new one.
///
///     let title = combineLatest(name, count).map { "\($0) (\($1))" }
///
/// Nothing is passed on until each publisher has had a value. The publishers may send on several
/// threads. Each subscription receives one combination for each value, one at a time and in one
/// order. It ends when all publishers have ended, or when one ends without a value.
///
/// If a value reaches two of the publishers, as in a diamond, there are two combinations. The first
/// of them contains a value that is about to be replaced.
///
/// - Parameter publishers: The publishers to combine.
/// - Returns: A signal that does nothing until it is subscribed to.
@inlinable public func combineLatest<each Publisher: Subscribable>(
  _ publishers: repeat each Publisher
) -> Signal<(repeat (each Publisher).Output)> {
  let signals = (repeat (each publishers).signal)
  return Signal { receive, end in
    let slots = (repeat (each signals).emptySlot)
    var count = 0
    for _ in repeat each slots { count += 1 }
    let mergeCore = MergeCore(of: count, receive, end)
    let all: @Sendable () -> (repeat (each Publisher).Output)? = {
      for slot in repeat each slots {
        if slot.isEmpty { return nil }
      }
      return (repeat (each slots).known)
    }
    repeat (each signals).follow(into: each slots, mergeCore, all)
    return mergeCore.token
  }
}

/// Combines the latest values of two publishers, whenever one of them has a new one.
///
/// It does the same as the function for any number of publishers. It is several times as fast,
/// because the compiler specialises it for the types of the values.
///
/// - Parameters:
///   - first: The first publisher.
///   - second: The second publisher.
/// - Returns: A signal that does nothing until it is subscribed to.
@inlinable public func combineLatest<First: Subscribable, Second: Subscribable>(
  _ first: First, _ second: Second
) -> Signal<(First.Output, Second.Output)> {
  let (first, second) = (first.signal, second.signal)
  return Signal { receive, end in
    let slots = (LatestValue<First.Output>(), LatestValue<Second.Output>())
    let mergeCore = MergeCore(of: 2, receive, end)
    let all: @Sendable () -> (First.Output, Second.Output)? = {
      guard let first = slots.0.value, let second = slots.1.value else { return nil }
      return (first, second)
    }
    first.follow(into: slots.0, mergeCore, all)
    second.follow(into: slots.1, mergeCore, all)
    return mergeCore.token
  }
}

extension Subscribable {
  /// Combines the latest values of this publisher and another one.
  ///
  /// The free function ``combineLatest(_:)`` takes any number.
  ///
  /// - Parameter other: The publisher to combine with.
  /// - Returns: A signal that does nothing until it is subscribed to.
  @inlinable public func combineLatest<Other: Subscribable>(
    _ other: Other
  ) -> Signal<(Output, Other.Output)> {
    Relays.combineLatest(self, other)
  }

  /// Passes on each value of this publisher, with the latest value of another one.
  ///
  ///     let saved = saveTaps.withLatest(from: text)
  ///
  /// A value that comes before the other publisher's first one is left out. If the result is
  /// subscribed to in a callback of the other publisher, that one's current value comes later; so
  /// the current value of a state relay on this side is left out. The signal ends when this
  /// publisher ends.
  ///
  /// - Parameter other: The publisher whose latest value is added.
  /// - Returns: A signal that does nothing until it is subscribed to.
  @inlinable public func withLatest<Other: Subscribable>(
    from other: Other
  ) -> Signal<(Output, Other.Output)> {
    let (upstream, other) = (signal, other.signal)
    return Signal { receive, end in
      let slot = LatestValue<Other.Output>()
      let mergeCore = MergeCore(of: 2, receive, end)
      // The other publisher comes first, so that its current value is known for the first value of
      // this one.
      mergeCore.join(other, onEnd: {}) { value in
        let old = mergeCore.core.lock.withLock { slot.replace(with: value) }
        withExtendedLifetime(old) {}
      }
      mergeCore.join(upstream, onEnd: { mergeCore.end() }) { value in
        mergeCore.core.send(deciding: { slot.value.map { (value, $0) } })
      }
      return mergeCore.token
    }
  }
}

extension Signal {
  /// Combines the latest values of all `signals`, whenever one of them has a new one.
  ///
  /// It keeps the promises of ``combineLatest(_:)``, for a number of publishers that is known only
  /// at run time. A combination costs O(*n*) for *n* publishers.
  ///
  /// - Parameter signals: The publishers, each as `publisher.signal`. If there are none, the result
  ///   passes on `[]` and ends.
  /// - Returns: A signal of the values in the order of `signals`.
  public static func combineLatest<Element: Sendable>(
    _ signals: [Signal<Element>]
  ) -> Signal where Output == [Element] {
    Signal { receive, end in
      if signals.isEmpty {
        receive([])
        end?()
        return SubscriptionToken(source: Cancellable())
      }
      let slots = signals.map(\.emptySlot)
      let mergeCore = MergeCore(of: signals.count, receive, end)
      let all: @Sendable () -> [Element]? = {
        slots.contains { $0.isEmpty } ? nil : slots.map(\.known)
      }
      for (signal, slot) in zip(signals, slots) { signal.follow(into: slot, mergeCore, all) }
      return mergeCore.token
    }
  }

  @inlinable var emptySlot: LatestValue<Output> { LatestValue() }

  @inlinable func follow<Combined: Sendable>(
    into slot: LatestValue<Output>, _ mergeCore: MergeCore<Combined>,
    _ all: @escaping @Sendable () -> Combined?
  ) {
    mergeCore.join(
      self,
      onEnd: {
        let isSilent = mergeCore.core.lock.withLock { slot.isEmpty }
        if isSilent { mergeCore.end() } else { mergeCore.close() }
      },
      { value in
        var old: Output?
        mergeCore.core.send(deciding: {
          old = slot.replace(with: value)
          return all()
        })
        withExtendedLifetime(old) {}
      })
  }
}
