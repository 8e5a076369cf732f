public import Observation

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
/// A signal of it that outlives it still gives the last value to whoever subscribes, and then ends.
///
/// Reading never waits for a callback. `value` can be read in `withObservationTracking`, and so in
/// a SwiftUI view, which is then told when it changes. Set it where it is read, on the main actor: what
/// another thread sets between the reading and the moment at which Observation enters the reader is told with
/// the next change. A subscription misses nothing.
public final class StateRelay<Value: Sendable>: Observable, Sendable {
  @usableFromInline let core: StateCore<Value>

  @usableFromInline let observed = ObservedPlace()

  /// A relay whose value is `value`.
  @inlinable public init(_ value: Value) {
    core = StateCore(value)
  }

  /// The latest value set.
  ///
  /// Setting it delivers it. Reading and setting are two steps: where several threads write, use
  /// ``modify(_:)``, since `value += 1` would lose some of what they add.
  @inlinable public var value: Value {
    get {
      observed.access()
      return core.value
    }
    set { send(newValue) }
  }

  /// Sets the value and delivers it.
  @inlinable public func send(_ value: Value) {
    swap(value)
  }

  /// Sets the value, delivers it and gives the one before.
  @inlinable @discardableResult public func swap(_ value: Value) -> Value {
    _willChange()
    return core.exchange(value) { _didChange() }
  }

  /// Changes the value in place, atomically, and delivers it.
  ///
  ///     let isMine = state.modify { state in
  ///       guard state == .idle else { return false }
  ///       state = .connecting
  ///       return true
  ///     }
  ///
  /// The value is delivered also if `body` left it as it was; subscribe to `removeDuplicates()` if that
  /// says nothing. If `body` throws, the value stays and nothing is sent.
  ///
  /// `body` runs once, under the relay's lock, so it should do no more than change the value. What it
  /// sends to another relay would call that relay's subscribers under this lock.
  ///
  /// - Precondition: `body` doesn't use this relay: it doesn't read or set the value, subscribe, or cancel
  ///   a token of it.
  @inlinable @discardableResult public func modify<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    _willChange()
    return try core.modify(didChange: { _didChange() }, body)
  }

  /// The relay's subscribing side, for those who may listen but not set.
  @inlinable public var signal: Signal<Value> { Signal(core) }

  deinit { core.end() }

  @inlinable func _willChange() {
    guard !observed.isEmpty else { return }
    core.checkIsFree()
    observed.willChange()
  }

  @inlinable func _didChange() {
    if !observed.isEmpty { observed.didChange() }
  }
}
