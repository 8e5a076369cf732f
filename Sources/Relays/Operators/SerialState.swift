/// The state that an operator keeps from value to value of one subscription.
///
/// One thread at a time reaches it: the publisher above delivers one value at a time, and each
/// delivery sees what the previous one has written.
@usableFromInline final class SerialState<State>: @unchecked Sendable {
  // @unchecked: guarded by the gate of the publisher above, which also makes accesses exclusive.
  @exclusivity(unchecked) @usableFromInline var value: State

  @inlinable init(_ value: State) { self.value = value }
}
