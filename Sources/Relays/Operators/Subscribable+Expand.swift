extension Subscribable {
  /// Passes on the results of `expand` for each value, one after the other.
  ///
  /// A subscription receives all results of a value or none, unless it is cancelled meanwhile.
  ///
  /// - Parameter expand: A function that is called once per value and subscription. It passes its
  ///   results to its second argument.
  /// - Returns: A signal that does nothing until it is subscribed to.
  package func expand<Result: Sendable>(
    _ expand: @escaping @Sendable (Output, (Result) -> Void) -> Void
  ) -> Signal<Result> {
    let upstream = signal
    return Signal { receive, end in
      upstream.attach({ expand($0, receive) }, end)
    }
  }
}
