/// A subscription with a callback for the relay's end.
@usableFromInline
final class EndingSubscriber<Value: Sendable>: Subscriber<Value>,
  @unchecked Sendable
{
  // @unchecked: a subclass of one that is; what it adds is constant.
  private let onEnd: @Sendable () -> Void

  @usableFromInline init(
    receive: @escaping @Sendable (Value) -> Void, onEnd: @escaping @Sendable () -> Void
  ) {
    self.onEnd = onEnd
    super.init(receive: receive)
  }

  @usableFromInline override func end() { onEnd() }
}
