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
  private let first: Value

  /// A relay whose value is `value`.
  public init(_ value: Value) {
    core = RelayCore(current: value)
    first = value
  }

  /// The latest value set.
  ///
  /// Setting it delivers it.
  public var value: Value {
    get {
      checkNotModifying()
      return core.queue.withLock { $0.current ?? first }
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
    checkNotModifying()
    let (result, isMine) = try core.queue.withLock { queue throws(Failure) -> (Result, Bool) in
      core.modifier.store(CurrentThread.token)
      defer { core.modifier.store(0) }
      var value = queue.current ?? first
      let result = try body(&value)
      queue.current = value
      queue.operations.append(.send(value))
      return (result, core.gate.exchange(2) == 0)
    }
    if isMine { core._drain() }
    return result
  }

  private func checkNotModifying() {
    precondition(
      core.modifier.load() != CurrentThread.token,
      "A StateRelay is used inside its own modify; read and change the value through the parameter")
  }

  /// The relay's subscribing side, for those who may listen but not set.
  public var signal: Signal<Value> { Signal(core) }

  deinit { core.perform(.end) }
}
