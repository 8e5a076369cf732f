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
/// the next change, and a reader that is told in that moment Observation tells again of each later one: if it reads
/// anew whenever it is told, on another thread than that which sets, there are more and more of it. A subscription
/// misses nothing, and is one.
public final class StateRelay<Value: Sendable>: Observable, Sendable {
  @usableFromInline let core: StateCore<Value>
  @usableFromInline let holder: StateHolder<Value>

  @usableFromInline let observed = ObservedPlace()

  /// A relay whose value is `value`.
  @inlinable public init(_ value: Value) {
    let core = StateCore(value)
    self.core = core
    holder = StateHolder(core)
  }

  /// The latest value set.
  ///
  /// Setting it delivers it. Reading and setting are two steps: where several threads write, use
  /// ``modify(_:)``, since `value += 1` would lose some of what they add.
  @inlinable public var value: Value {
    get {
      observed.access()
      // The value goes with the relay, which nobody else may hold.
      defer { withExtendedLifetime(self) {} }
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
    defer { withExtendedLifetime(self) {} }
    return core.exchange(value) { _didChange() }
  }

  /// Changes the value atomically, and delivers it.
  ///
  /// One element of a large array is changed as fast as one of a small array where the array holds
  /// numbers, structs of numbers or texts, and no subscriber keeps the value that it was given; so it is
  /// with sets and dictionaries of these, and with arrays of such arrays. All else is changed in a copy,
  /// whose storage is copied with the first change: what `body` takes out may be an object with a `deinit`,
  /// which must not run under the lock. So is everything if `body` may throw, since the value stays then.
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
    // The relay can't go while its value is being changed.
    defer { withExtendedLifetime(self) {} }
    return try core.modify(didChange: { _didChange() }, body)
  }

  /// The relay's subscribing side, for those who may listen but not set.
  @inlinable public var signal: Signal<Value> { Signal(holder) }

  deinit { core.end() }

  @inlinable func _willChange() {
    guard observed.isTracked else { return }
    core.checkIsFree()
    observed.willChange()
  }

  @inlinable func _didChange() {
    if observed.isTracked { observed.didChange() }
  }
}
