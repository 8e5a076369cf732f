extension Subscribable {
  /// Passes on the result of `transform` for each value.
  ///
  ///     let names = cars.map { $0.name }
  ///
  /// - Parameter transform: Called once per value and subscription, where the value is delivered.
  /// - Returns: A signal that does nothing until it is subscribed to.
  @inlinable public func map<Result: Sendable>(
    _ transform: @escaping @Sendable (Output) -> Result
  ) -> Signal<Result> {
    let upstream = signal
    return Signal { receive, end in
      upstream.attach({ receive(transform($0)) }, end)
    }
  }

  /// Passes on the result of `transform` for each value, unless it is nil.
  ///
  ///     let numbers = texts.compactMap { Int($0) }
  ///
  /// - Parameter transform: Called once per value and subscription, where the value is delivered.
  /// - Returns: A signal that does nothing until it is subscribed to.
  @inlinable public func compactMap<Result: Sendable>(
    _ transform: @escaping @Sendable (Output) -> Result?
  ) -> Signal<Result> {
    let upstream = signal
    return Signal { receive, end in
      upstream.attach({ if let result = transform($0) { receive(result) } }, end)
    }
  }

  /// Passes on the values for which `isIncluded` returns true.
  ///
  ///     let adults = ages.filter { $0 >= 18 }
  ///
  /// - Parameter isIncluded: Called once per value and subscription, where the value is delivered.
  /// - Returns: A signal that does nothing until it is subscribed to.
  @inlinable public func filter(
    _ isIncluded: @escaping @Sendable (Output) -> Bool
  ) -> Signal<Output> {
    let upstream = signal
    return Signal { receive, end in
      upstream.attach({ if isIncluded($0) { receive($0) } }, end)
    }
  }
}
