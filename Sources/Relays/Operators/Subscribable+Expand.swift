extension Subscribable {
  /// Passes on what `expand` makes of each value, one after the other.
  ///
  /// A subscription gets all that comes of a value, or nothing of it, unless it is cancelled meanwhile.
  ///
  /// - Parameter expand: Called once per value and subscription, with whom to give the results to.
  /// - Returns: a signal that does nothing until it is subscribed to.
  package func expand<Result: Sendable>(
    _ expand: @escaping @Sendable (Output, (Result) -> Void) -> Void
  ) -> Signal<Result> {
    let upstream = signal
    return Signal { receive, end in
      upstream.attach({ expand($0, receive) }, end)
    }
  }
}
