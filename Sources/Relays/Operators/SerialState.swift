/// What an operator remembers from value to value of one subscription.
///
/// One thread at a time reaches it, because the publisher above delivers one value at a time and
/// each delivery sees what the one before has written.
@usableFromInline final class SerialState<State>: @unchecked Sendable {
  // @unchecked: guarded by the gate of the publisher above, which also makes the accesses exclusive.
  @exclusivity(unchecked) @usableFromInline var value: State

  @inlinable init(_ value: State) { self.value = value }
}
