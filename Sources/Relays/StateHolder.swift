/// What a state relay and its signals hold together, so that the value goes with the last of them.
///
/// Tokens hold the core alone.
@usableFromInline final class StateHolder<Value: Sendable>: Sendable {
  @usableFromInline let core: StateCore<Value>

  @usableFromInline init(_ core: StateCore<Value>) { self.core = core }

  deinit { core.forget() }
}
