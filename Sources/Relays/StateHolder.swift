/// An object that a state relay and its signals share, so that the last of them releases the value.
///
/// Tokens hold only the core.
@usableFromInline final class StateHolder<Value: Sendable>: Sendable {
  @usableFromInline let core: StateCore<Value>

  @usableFromInline init(_ core: StateCore<Value>) { self.core = core }

  deinit { core.forget() }
}
