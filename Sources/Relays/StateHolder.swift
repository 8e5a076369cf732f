/// An object that a state relay and its signals share, so that the last of them releases the value.
///
/// Tokens hold only the core.
@usableFromInline final class StateHolder<Value: Sendable>: Sendable {
  @usableFromInline let core: StateCore<Value>
  /// The reads that Observation has recorded.
  @usableFromInline let observed = ObservedPlace()

  @usableFromInline init(_ core: StateCore<Value>) { self.core = core }

  /// Returns the latest value; Observation records the read if `isTracked` is true.
  @inlinable func read(isTracked: Bool) -> Value {
    if isTracked { observed.access() }
    // The value is released with the holder, which nobody else may hold.
    defer { withExtendedLifetime(self) {} }
    return core.value
  }

  deinit { core.forget() }
}
