internal import Locking
public import Relays

/// A recorder of what a publisher sends, for tests.
///
///     let recorder = Recorder(search.results)
///     search.text.send("tea")
///     #expect(await recorder.waitForValues(1) == [["green tea"]])
///
/// It subscribes when it is made, and until it is released or cancelled. It can be used from any
/// thread.
public final class Recorder<Value: Sendable>: Sendable {
  private let core = RecorderCore<Value>()
  private let token: SubscriptionToken

  /// Creates a recorder of a publisher, and subscribes to it.
  public init(_ publisher: some Subscribable<Value>) {
    let core = core
    token = publisher.handleEvents(receiveEnd: { core.note { $0.hasEnded = true } })
      .subscribe { value in core.note { $0.values.append(value) } }
  }

  /// The values so far.
  public var values: [Value] { core.state.withLock { $0.values } }

  /// True if no value can come any more, because the publisher has ended.
  public var hasEnded: Bool { core.state.withLock { $0.hasEnded } }

  /// Returns the values so far, and forgets them.
  public func takeValues() -> [Value] {
    core.state.withLock { state in
      defer { state.values = [] }
      return state.values
    }
  }

  /// Ends the subscription; the values stay.
  public func cancel() {
    token.cancel()
    core.note { $0.isCancelled = true }
  }

  /// Waits until there are `count` values or none can come any more, or the caller's task is
  /// cancelled.
  ///
  /// It has no time limit: give the test one.
  ///
  /// - Parameter count: The number of values to wait for.
  /// - Returns: All values so far.
  @discardableResult public func waitForValues(_ count: Int) async -> [Value] {
    let id = core.state.withLock { $0.nextID() }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isWaiting = core.state.withLock { $0.wait(id, for: count, continuation) }
        if !isWaiting { continuation.resume() }
      }
    } onCancel: {
      core.state.withLock { $0.cancel(id) }?.continuation.resume()
    }
    return core.state.withLock { state in
      state.cancelled.remove(id)
      return state.values
    }
  }
}
