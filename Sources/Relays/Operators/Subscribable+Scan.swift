extension Subscribable {
  /// Passes on a running result: the result of `next` for the result so far and each value.
  ///
  ///     let totals = amounts.scan(0) { $0 + $1 }
  ///
  /// - Parameters:
  ///   - initial: The result before the first value. It isn't passed on.
  ///   - next: Returns the next result.
  /// - Returns: A signal in which each subscription starts from `initial`.
  @inlinable public func scan<Result: Sendable>(
    _ initial: Result, _ next: @escaping @Sendable (Result, Output) -> Result
  ) -> Signal<Result> {
    let upstream = signal
    return Signal { receive, end in
      let state = SerialState(initial)
      return upstream.attach(
        {
          let result = next(state.value, $0)
          state.value = result
          receive(result)
        }, end)
    }
  }

  /// Passes on each value with the one before it, from the second value on.
  ///
  ///     let rises = prices.adjacentPairs().filter { $0.new > $0.old }
  ///
  /// - Returns: A signal in which each subscription has pairs of its own.
  @inlinable public func adjacentPairs() -> Signal<(old: Output, new: Output)> {
    let upstream = signal
    return Signal { receive, end in
      let last = SerialState<Output?>(nil)
      return upstream.attach(
        { new in
          let old = last.value
          last.value = new
          if let old { receive((old, new)) }
        }, end)
    }
  }

  /// Passes on the values that differ from the previous one.
  ///
  /// - Parameter isDuplicate: Returns true if the second value is a duplicate of the first, which
  ///   is the last one that was passed on.
  /// - Returns: A signal in which each subscription passes on its first value.
  @inlinable public func removeDuplicates(
    by isDuplicate: @escaping @Sendable (Output, Output) -> Bool
  ) -> Signal<Output> {
    let upstream = signal
    return Signal { receive, end in
      let last = SerialState<Output?>(nil)
      return upstream.attach(
        { value in
          if let last = last.value, isDuplicate(last, value) { return }
          last.value = value
          receive(value)
        }, end)
    }
  }
}

extension Subscribable where Output: Equatable {
  /// Passes on the values that aren't equal to the previous one.
  ///
  ///     let changes = temperatures.removeDuplicates()
  ///
  /// - Returns: A signal in which each subscription passes on its first value.
  @inlinable public func removeDuplicates() -> Signal<Output> {
    removeDuplicates { $0 == $1 }
  }
}
