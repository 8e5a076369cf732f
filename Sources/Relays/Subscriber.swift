/// A subscription to values of a type.
///
/// `receive` is a `let` and is never cleared: reading a closure from a variable costs a retain and
/// a release for each value. When the subscription is cancelled or the relay ends, the whole object
/// is released instead.
@usableFromInline class Subscriber<Value: Sendable>: Subscription, @unchecked Sendable {
  // @unchecked: the superclass is, and this class adds only a constant.
  @usableFromInline final let receive: @Sendable (Value) -> Void

  @inlinable init(receive: @escaping @Sendable (Value) -> Void) {
    self.receive = receive
    super.init()
  }
}
