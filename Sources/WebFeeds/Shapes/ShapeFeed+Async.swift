extension ShapeFeed {
  /// Returns the answer to a request with these parameters of its address, and waits for it if the
  /// client does.
  ///
  ///     let answer = await flights.answer(to: request.query)
  ///
  /// A request for a stream of events is answered as a long poll.
  ///
  /// - Parameters:
  ///   - parameters: The parameters, with percent signs decoded.
  ///   - limit: The longest time that a client waits. A client of the protocol gives up after 45
  ///     seconds, and proxies often after 30.
  /// - Returns: The answer. If the task is cancelled, it is that nothing is new.
  public func answer(
    to parameters: [String: String], waiting limit: Duration = .seconds(20)
  ) async -> WebAnswer {
    var parameters = parameters
    parameters["live_sse"] = nil
    parameters["experimental_live_sse"] = nil
    let start = ContinuousClock.now
    var waiter: NewsWaiter?
    while true {
      switch reply(to: parameters) {
      case .answer(let answer): return answer
      case .stream: preconditionFailure("A long poll is answered by a stream")
      case .waiting(let orElse):
        let rest = limit - (ContinuousClock.now - start)
        if rest <= .zero || Task.isCancelled { return orElse }
        // News between the reply and the subscription would be missed: ask once more.
        guard let waiter else {
          waiter = NewsWaiter(didChange)
          continue
        }
        _ = await waiter.wait(atMost: rest)
      }
    }
  }
}
