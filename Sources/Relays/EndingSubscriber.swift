/// A subscription with a callback for the relay's end.
@usableFromInline
final class EndingSubscriber<Value: Sendable>: Subscriber<Value>,
  @unchecked Sendable
{
  // @unchecked: the superclass is, and this class adds only a constant.
  private let onEnd: @Sendable () -> Void

  @usableFromInline init(
    receive: @escaping @Sendable (Value) -> Void, onEnd: @escaping @Sendable () -> Void
  ) {
    self.onEnd = onEnd
    super.init(receive: receive)
  }

  @usableFromInline override func end() { onEnd() }
}
