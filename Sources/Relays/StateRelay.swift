public import Observation

/// A relay with a current value.
///
///     let speed = StateRelay(1.0)
///     let token = speed.subscribe { print($0) }  // prints 1.0
///     speed.modify { $0 *= 2 }                   // prints 2.0
///     print(speed.value)                         // prints 2.0
///
/// `value` is the latest value set, also inside a callback. A callback receives its own value,
/// which may be an older one. At rest, the last value delivered is `value`. A subscriber receives
/// the current value first. That happens before `subscribe` returns, unless a delivery is running
/// or the subscription delivers in another context. In all other respects, a state relay keeps the
/// promises of ``Relay``. Setting an equal value delivers it.
///
/// A signal that outlives its relay still delivers the last value to each new subscriber, and then
/// ends.
///
/// Reading never waits for a callback. `value` can be read in `withObservationTracking`, and so in
/// a SwiftUI view, which is then notified when it changes. Set the value where it is read, on the
/// main actor. Observation registers a reader some time after the read. A change that another
/// thread makes in between is reported with the next change. A reader that is notified at that very
/// moment is notified of each later change as well. If such a reader reads again at each
/// notification, on another thread than the one that sets the value, its registrations multiply. A
/// subscription doesn't have these limits: it misses no value and stays a single one.
public final class StateRelay<Value: Sendable>: Observable, Sendable {
  @usableFromInline let core: StateCore<Value>
  @usableFromInline let holder: StateHolder<Value>

  /// Creates a relay with the value `value`.
  @inlinable public init(_ value: Value) {
    let core = StateCore(value)
    self.core = core
    holder = StateHolder(core)
  }

  /// The latest value set.
  ///
  /// Setting it delivers it. Reading and setting are two steps. If several threads write, use
  /// ``modify(_:)``: with `value += 1`, some of the additions would be lost.
  @inlinable public var value: Value {
    get { holder.read(isTracked: true) }
    set { send(newValue) }
  }

  /// Sets the value and delivers it.
  @inlinable public func send(_ value: Value) {
    swap(value)
  }

  /// Sets the value, delivers it and returns the previous one.
  @inlinable @discardableResult public func swap(_ value: Value) -> Value {
    _willChange()
    defer { withExtendedLifetime(self) {} }
    return core.exchange(value) { _didChange() }
  }

  /// Changes the value atomically, and delivers it.
  ///
  ///     let isMine = state.modify { state in
  ///       guard state == .idle else { return false }
  ///       state = .connecting
  ///       return true
  ///     }
  ///
  /// The value is delivered even if `body` leaves it as it was. Subscribe to `removeDuplicates()`
  /// if equal values don't matter. If `body` throws, the value stays as it was and nothing is sent.
  ///
  /// `body` runs once, under the relay's lock, so it should only change the value. If it sends to
  /// another relay, the subscribers of that relay are called under this lock. A commit that it
  /// makes on the main actor is delivered there after it.
  ///
  /// Changing one element of a large array is as fast as in a small array, under two conditions:
  /// the array holds numbers, structs of numbers or texts, and no subscriber keeps the value that
  /// it received. The same holds for sets and dictionaries of these, and for arrays of such arrays.
  /// Every other value is changed in a copy, whose storage is copied with the first change: `body`
  /// may take out an object with a `deinit`, which must not run under the lock. If `body` may
  /// throw, every value is changed in a copy, because it stays as it was if `body` throws.
  ///
  /// - Returns: The result of `body`.
  /// - Throws: The error that `body` throws.
  /// - Precondition: `body` doesn't use this relay: it doesn't read or set the value, subscribe, or
  ///   cancel a token of it.
  @inlinable @discardableResult public func modify<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // The relay can't be deallocated while its value is being changed.
    defer { withExtendedLifetime(self) {} }
    if Failure.self == Never.self {
      _willChange()
      return try core.modify(didChange: { _didChange() }, body)
    }
    // A body that throws changes nothing, and then there is nothing to report.
    return try core.modify(didChange: { _hasChanged() }, body)
  }

  /// The relay's subscribing side, for code that may listen but not set.
  @inlinable public var signal: Signal<Value> { Signal(holder) }

  deinit { core.end() }

  @inlinable func _willChange() {
    guard holder.observed.isTracked else { return }
    core.checkIsFree()
    holder.observed.willChange()
  }

  @usableFromInline func _hasChanged() { holder.observed.hasChanged() }

  @inlinable func _didChange() {
    if holder.observed.isTracked { holder.observed.didChange() }
  }
}
