public import Locking

/// Passes on the latest values of several publishers together, whenever one of them has a new one.
///
///     let title = combineLatest(name, count).map { "\($0) (\($1))" }
///
/// Nothing comes until each publisher has had a value. They may send on several threads; each
/// subscription gets one combination per value, one at a time and in one order, and ends when all
/// publishers have, or when one ends without a value.
///
/// A value that reaches two of the publishers, as in a diamond, gives two combinations, the first
/// of them with a value that is about to be replaced.
///
/// - Parameter publishers: What to combine.
/// - Returns: a signal that does nothing until it is subscribed to.
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

/// Passes on the latest values of two publishers together, whenever one of them has a new one.
///
/// It does what the function for any number does, several times as fast: the compiler specialises
/// it for the types of the values.
///
/// - Parameters:
///   - first: What to combine.
///   - second: What to combine with.
/// - Returns: a signal that does nothing until it is subscribed to.
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
  /// Passes on the latest values of this publisher and another together.
  ///
  /// The free function ``combineLatest(_:)`` takes any number.
  ///
  /// - Parameter other: What to combine with.
  /// - Returns: a signal that does nothing until it is subscribed to.
  @inlinable public func combineLatest<Other: Subscribable>(
    _ other: Other
  ) -> Signal<(Output, Other.Output)> {
    Relays.combineLatest(self, other)
  }

  /// Passes on each value of this publisher, with the latest value of another.
  ///
  ///     let saved = saveTaps.withLatest(from: text)
  ///
  /// A value that comes before the other's first one is left out: so is the current value of a state
  /// relay, if this is subscribed to in a callback of the other. The end is this publisher's.
  ///
  /// - Parameter other: Whose latest value to add.
  /// - Returns: a signal that does nothing until it is subscribed to.
  @inlinable public func withLatest<Other: Subscribable>(
    from other: Other
  ) -> Signal<(Output, Other.Output)> {
    let (upstream, other) = (signal, other.signal)
    return Signal { receive, end in
      let slot = LatestValue<Other.Output>()
      let mergeCore = MergeCore(of: 2, receive, end)
      // The other comes first, so that its current value is there for the first of this one.
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
