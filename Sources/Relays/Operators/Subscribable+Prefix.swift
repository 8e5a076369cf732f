public import Locking

extension Subscribable {
  /// Passes on the first `count` values, then ends.
  ///
  /// After the callback for the last value has run, the subscription to this publisher is cancelled
  /// and the signal ends. With a count of 0, the signal ends at once.
  ///
  /// - Parameter count: The number of values to pass on to each subscription; 0 or more.
  /// - Returns: A signal over which a `for await` loop ends.
  @inlinable public func prefix(_ count: Int) -> Signal<Output> {
    mustHold(count >= 0, "prefix(\(count)) can't pass on fewer than no values; use 0 or more")
    return _prefix(count) { _ in true }
  }

  /// Passes on the first `count` values for which `isIncluded` returns true.
  @inlinable func _prefix(
    _ count: Int, where isIncluded: @escaping @Sendable (Output) -> Bool
  ) -> Signal<Output> {
    let upstream = signal
    return Signal { receive, end in
      let upstreams = CompositeToken()
      let token = SubscriptionToken(source: upstreams)
      guard count > 0 else {
        if upstreams.finish() { end?() }
        return token
      }
      let passed = SerialState(0)
      upstreams.add(
        upstream.attach(
          { value in
            // A publisher can send more values than needed while it is being subscribed to.
            guard passed.value < count, isIncluded(value) else { return }
            passed.value += 1
            let isLast = passed.value == count
            receive(value)
            if isLast && upstreams.finish() { end?() }
          },
          { if upstreams.finish() { end?() } }))
      return token
    }
  }

  /// Passes on values as long as `isIncluded` returns true, then ends.
  ///
  ///     let untilFull = levels.prefix { $0 < 100 }
  ///
  /// The first value for which it returns false isn't passed on.
  ///
  /// - Parameter isIncluded: Called once per value until it returns false.
  /// - Returns: A signal over which a `for await` loop ends.
  @inlinable public func prefix(
    while isIncluded: @escaping @Sendable (Output) -> Bool
  ) -> Signal<Output> {
    let upstream = signal
    return Signal { receive, end in
      let upstreams = CompositeToken()
      let isOver = SerialState(false)
      upstreams.add(
        upstream.attach(
          { value in
            guard !isOver.value else { return }
            if isIncluded(value) { return receive(value) }
            isOver.value = true
            if upstreams.finish() { end?() }
          },
          { if upstreams.finish() { end?() } }))
      return SubscriptionToken(source: upstreams)
    }
  }

  /// Passes on the first value, then ends.
  ///
  ///     for await price in prices.first().values() { print(price) }  // one price
  ///
  /// - Returns: A signal over which a `for await` loop ends.
  @inlinable public func first() -> Signal<Output> { prefix(1) }

  /// Passes on the first value for which `predicate` returns true, then ends.
  ///
  /// - Parameter predicate: Called once per value until it returns true.
  /// - Returns: A signal over which a `for await` loop ends.
  @inlinable public func first(
    where predicate: @escaping @Sendable (Output) -> Bool
  ) -> Signal<Output> {
    _prefix(1, where: predicate)
  }

  /// Passes on all values except the first `count`.
  ///
  ///     let later = speed.dropFirst()  // without the current value
  ///
  /// - Parameter count: The number of values to leave out of each subscription; 0 or more.
  /// - Returns: A signal that does nothing until it is subscribed to.
  @inlinable public func dropFirst(_ count: Int = 1) -> Signal<Output> {
    mustHold(
      count >= 0, "dropFirst(\(count)) can't leave out fewer than no values; use 0 or more")
    let upstream = signal
    return Signal { receive, end in
      let left = SerialState(count)
      return upstream.attach(
        { value in
          guard left.value == 0 else {
            left.value -= 1
            return
          }
          receive(value)
        }, end)
    }
  }
}
