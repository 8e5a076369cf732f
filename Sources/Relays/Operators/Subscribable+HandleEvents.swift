extension Subscribable {
  /// Passes everything on, and calls closures for what happens.
  ///
  ///     let shown = results.handleEvents(
  ///       receiveSubscription: { spinner.start() }, receiveCancel: { spinner.stop() })
  ///
  /// Each closure is called once for each event of each subscription. A value is passed on after
  /// its closure has returned.
  ///
  /// - Parameters:
  ///   - receiveSubscription: Called when somebody subscribes, before any value.
  ///   - receiveOutput: Called with each value.
  ///   - receiveEnd: Called when no value can come any more.
  ///   - receiveCancel: Called when the subscription is cancelled before its end.
  /// - Returns: A signal that does nothing until it is subscribed to.
  public func handleEvents(
    receiveSubscription: (@Sendable () -> Void)? = nil,
    receiveOutput: (@Sendable (Output) -> Void)? = nil,
    receiveEnd: (@Sendable () -> Void)? = nil,
    receiveCancel: (@Sendable () -> Void)? = nil
  ) -> Signal<Output> {
    let upstream = signal
    return Signal { receive, end in
      receiveSubscription?()
      let onCancel = OnCancel { receiveCancel?() }
      let upstreams = CompositeToken()
      upstreams.add(SubscriptionToken(source: onCancel))
      upstreams.add(
        upstream.attach(
          {
            // An earlier closure may have cancelled the subscription on this thread.
            if onCancel.isOver { return }
            receiveOutput?($0)
            receive($0)
          },
          {
            // A cancel that came before has been handled, and is the end.
            guard onCancel.dismiss() else { return }
            receiveEnd?()
            end?()
          }))
      return SubscriptionToken(source: upstreams)
    }
  }

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
    let lead = prefix.isEmpty ? "" : "\(prefix): "
    return handleEvents(
      receiveSubscription: { output("\(lead)receive subscription") },
      receiveOutput: { output("\(lead)receive value: (\($0))") },
      receiveEnd: { output("\(lead)receive finished") },
      receiveCancel: { output("\(lead)receive cancel") })
  }
}
