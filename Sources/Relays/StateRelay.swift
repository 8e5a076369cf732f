internal import Locking

/// A relay with a current value.
///
///     let speed = StateRelay(1.0)
///     let token = speed.subscribe { print($0) }  // prints 1.0
///     speed.modify { $0 *= 2 }                   // prints 2.0
///     print(speed.value)                         // prints 2.0
///
/// `value` is the latest one set, also inside a callback, which is given its own value and that may
/// be an older one. At rest the last value delivered is `value`. A subscriber gets the current value
/// first: before `subscribe` returns, unless a delivery is running or the subscription hops to
/// another place. Otherwise a state relay keeps the promises of ``Relay``. Setting an equal value
/// delivers it.
///
/// Reading never waits for a callback.
public final class StateRelay<Value: Sendable>: Sendable {
  private let core: RelayCore<Value>

  /// A relay whose value is `value`.
  public init(_ value: Value) {
    core = RelayCore(current: value)
  }

  /// The latest value set.
  ///
  /// Setting it delivers it.
  public var value: Value {
    get {
      core.checkNotModifying()
      return core.queue.withLock { current(of: $0) }
    }
    set { send(newValue) }
  }

  /// Sets the value and delivers it.
  public func send(_ value: Value) {
    modify { $0 = value }
  }

  /// Sets the value, delivers it and gives the one before.
  @discardableResult public func swap(_ value: Value) -> Value {
    modify { current in
      let old = current
      current = value
      return old
    }
  }

  /// Changes the value in place, atomically, and delivers it.
  ///
  /// `body` runs once, under the relay's lock. If it throws, the value stays and nothing is sent.
  ///
  /// - Precondition: `body` doesn't use this relay.
  @discardableResult public func modify<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    core.checkNotModifying()
    // The value that isn't kept is handed out too, so that it is released outside the lock.
    let (result, isMine, _) = core.queue.withLock {
      queue -> (Swift.Result<Result, Failure>, Bool, Value) in
      core.modifier.store(CurrentThread.token)
      defer { core.modifier.store(0) }
      let old = current(of: queue)
      var value = old
      do throws(Failure) {
        let result = try body(&value)
        queue.current = value
        queue.operations.append(.send(value))
        return (.success(result), core.gate.exchange(2) == 0, old)
      } catch {
        return (.failure(error), false, value)
      }
    }
    if isMine { core._drain() }
    return try result.get()
  }

  private func current(of queue: RelayCore<Value>.Queue) -> Value {
    guard let current = queue.current else { preconditionFailure("A StateRelay has a value") }
    return current
  }

  /// The relay's subscribing side, for those who may listen but not set.
  public var signal: Signal<Value> { Signal(core) }

  deinit { core.perform(.end) }
}
