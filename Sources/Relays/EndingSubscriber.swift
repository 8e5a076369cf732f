/// A subscription that is told when no value can come any more.
@usableFromInline
final class EndingSubscriber<Value: Sendable>: Subscriber<Value>,
  @unchecked Sendable
{
  private let onEnd: @Sendable () -> Void

  @usableFromInline init(
    receive: @escaping @Sendable (Value) -> Void, onEnd: @escaping @Sendable () -> Void
  ) {
    self.onEnd = onEnd
    super.init(receive: receive)
  }

  @usableFromInline override func end() { onEnd() }
}
