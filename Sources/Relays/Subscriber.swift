/// A subscription to values of a type.
///
/// `receive` is a `let` and is never cleared: a closure read from a variable costs a retain and a
/// release for each value. Cancelling, or the relay's end, releases the whole object instead.
@usableFromInline class Subscriber<Value: Sendable>: Subscription, @unchecked Sendable {
  // @unchecked: a subclass of one that is; what it adds is constant.
  @usableFromInline final let receive: @Sendable (Value) -> Void

  @inlinable init(receive: @escaping @Sendable (Value) -> Void) {
    self.receive = receive
    super.init()
  }
}
