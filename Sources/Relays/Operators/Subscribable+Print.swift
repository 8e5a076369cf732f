extension Subscribable {
  /// Passes everything on and prints what happens, to inspect a chain of operators.
  ///
  ///     let token = prices.filter { $0 > 2 }.print("prices").subscribe { show($0) }
  ///     // prints "prices: receive subscription", "prices: receive value: (3)", …
  ///
  /// - Parameters:
  ///   - prefix: The beginning of each line.
  ///   - output: Receives the lines. By default they go to the standard output.
  /// - Returns: A signal that does nothing until it is subscribed to.
  public func print(
    _ prefix: String = "", to output: @escaping @Sendable (String) -> Void = { Swift.print($0) }
  ) -> Signal<Output> {
    let upstream = signal
    let lead = prefix.isEmpty ? "" : "\(prefix): "
    return Signal { receive, end in
      output("\(lead)receive subscription")
      let onCancel = OnCancel { output("\(lead)receive cancel") }
      let upstreams = CompositeToken()
      upstreams.add(SubscriptionToken(source: onCancel))
      upstreams.add(
        upstream.attach(
          {
            output("\(lead)receive value: (\($0))")
            receive($0)
          },
          {
            // A cancel that came before has been printed, and is the end.
            guard onCancel.dismiss() else { return }
            output("\(lead)receive finished")
            end?()
          }))
      return SubscriptionToken(source: upstreams)
    }
  }
}
