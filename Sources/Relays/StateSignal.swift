/// A state that is made of others: it has a value, and can be subscribed to.
///
///     let speed = StateRelay(1.0)
///     let label = speed.map { "\($0) m/s" }
///     print(label.value)  // 1.0 m/s
///
/// It is for code that may read and listen but not set. It keeps no value of its own: each read and
/// each subscription computes the value from the relays behind it. A subscriber receives the
/// current value first, and then one value for each value that a relay sends. In all other respects
/// it is a ``Signal``: it keeps no relay alive, only the relay's last value.
///
/// A read in `withObservationTracking`, and so in a SwiftUI view, is a read of the relays.
public struct StateSignal<Value: Sendable>: Subscribable {
  /// The type of the values.
  public typealias Output = Value

  /// Reads the value; Observation records the read if the argument is true.
  @usableFromInline let read: @Sendable (Bool) -> Value

  /// The current value, and then each further one.
  public let signal: Signal<Value>

  @inlinable init(signal: Signal<Value>, read: @escaping @Sendable (Bool) -> Value) {
    self.signal = signal
    self.read = read
  }

  /// The latest value.
  @inlinable public var value: Value { read(true) }

  /// The latest value, read without being recorded by Observation.
  @inlinable public var untrackedValue: Value { read(false) }

  /// Returns the state whose value is the result of `transform` for the value of this one.
  ///
  /// - Parameter transform: Called for each read, and once per value and subscription. It should
  ///   only compute.
  /// - Returns: A state that does nothing until it is read or subscribed to.
  @inlinable public func map<Result: Sendable>(
    _ transform: @escaping @Sendable (Value) -> Result
  ) -> StateSignal<Result> {
    let read = read
    return StateSignal<Result>(signal: signal.map(transform)) { transform(read($0)) }
  }

  /// Returns the state of the values of this one and another one.
  ///
  /// A read that happens while one of them changes on another thread may see the new value of one
  /// and the old value of the other.
  ///
  /// - Parameter other: The state to combine with.
  /// - Returns: A state that does nothing until it is read or subscribed to.
  @inlinable public func combineLatest<Other: Sendable>(
    _ other: StateSignal<Other>
  ) -> StateSignal<(Value, Other)> {
    let (first, second) = (read, other.read)
    return StateSignal<(Value, Other)>(signal: signal.combineLatest(other.signal)) {
      (first($0), second($0))
    }
  }
}

extension StateSignal {
  /// Returns the state of the values of several states, in their order.
  ///
  /// - Parameter states: The states, each as `relay.state`. If there are none, the value is `[]`.
  /// - Returns: A state that does nothing until it is read or subscribed to.
  @inlinable public static func combineLatest<Element: Sendable>(
    _ states: [StateSignal<Element>]
  ) -> StateSignal<[Element]> where Value == [Element] {
    StateSignal<[Element]>(signal: Signal.combineLatest(states.map(\.signal))) { isTracked in
      states.map { $0.read(isTracked) }
    }
  }

  /// Returns this state, which passes on only the values that differ from the previous one.
  ///
  /// - Parameter isDuplicate: Returns true if the second value is a duplicate of the first.
  /// - Returns: A state that does nothing until it is read or subscribed to.
  @inlinable public func removeDuplicates(
    by isDuplicate: @escaping @Sendable (Value, Value) -> Bool
  ) -> StateSignal { StateSignal(signal: signal.removeDuplicates(by: isDuplicate), read: read) }
}

extension StateSignal where Value: Equatable {
  /// Returns this state, which passes on only the values that aren't equal to the previous one.
  ///
  ///     let canSave = name.map { !$0.isEmpty }.removeDuplicates()
  @inlinable public func removeDuplicates() -> StateSignal { removeDuplicates { $0 == $1 } }
}

/// Returns the state of the values of two states.
///
///     let title = combineLatest(name.state, count.state).map { "\($0) (\($1))" }
///
/// - Parameters:
///   - first: The first state.
///   - second: The second state.
/// - Returns: A state that does nothing until it is read or subscribed to.
@inlinable public func combineLatest<First: Sendable, Second: Sendable>(
  _ first: StateSignal<First>, _ second: StateSignal<Second>
) -> StateSignal<(First, Second)> { first.combineLatest(second) }

/// Returns the state of the values of three states.
///
/// - Parameters:
///   - first: The first state.
///   - second: The second state.
///   - third: The third state.
/// - Returns: A state that does nothing until it is read or subscribed to.
@inlinable public func combineLatest<First: Sendable, Second: Sendable, Third: Sendable>(
  _ first: StateSignal<First>, _ second: StateSignal<Second>, _ third: StateSignal<Third>
) -> StateSignal<(First, Second, Third)> {
  let reads = (first.read, second.read, third.read)
  return StateSignal(signal: combineLatest(first.signal, second.signal, third.signal)) {
    (reads.0($0), reads.1($0), reads.2($0))
  }
}

extension StateRelay {
  /// The state as one that can be read and subscribed to but not set.
  @inlinable public var state: StateSignal<Value> {
    let holder = holder
    return StateSignal(signal: signal) { holder.read(isTracked: $0) }
  }

  /// The latest value, read without being recorded by Observation.
  ///
  /// A view that reads it isn't notified when it changes.
  @inlinable public var untrackedValue: Value { holder.read(isTracked: false) }

  /// Returns the state whose value is the result of `transform` for the value of this one.
  ///
  ///     let isEmpty = names.map { $0.isEmpty }
  ///     if isEmpty.value { … }
  ///
  /// - Parameter transform: Called for each read, and once per value and subscription. It should
  ///   only compute.
  /// - Returns: A state that does nothing until it is read or subscribed to.
  @inlinable public func map<Result: Sendable>(
    _ transform: @escaping @Sendable (Value) -> Result
  ) -> StateSignal<Result> { state.map(transform) }
}
