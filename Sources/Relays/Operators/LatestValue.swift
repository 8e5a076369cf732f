/// The latest value of one publisher, for one subscription; under the lock of a `MergeCore`'s core.
@usableFromInline final class LatestValue<Value: Sendable>: @unchecked Sendable {
  // @unchecked: `value` is reached by the one thread at a time that holds the gate of the
  // `MergeCore`.
  @exclusivity(unchecked) @usableFromInline var value: Value?

  @inlinable init() {}

  @inlinable var isEmpty: Bool { value == nil }

  /// Sets the value and returns the previous one, for the caller to release outside the lock.
  @inlinable func replace(with value: Value) -> Value? {
    let old = self.value
    self.value = value
    return old
  }

  /// The value, which is known to exist.
  @inlinable var known: Value {
    guard let value else { preconditionFailure("Every publisher has had a value") }
    return value
  }
}
