/// The core of a shared signal that delivers the last value to each new subscriber.
final class LatestCore<Value: Sendable>: FirstValueCore<Value>, @unchecked Sendable {
  // @unchecked: the value is under `lock`.
  private var latest: Value?

  /// Keeps `value` as the last one, and sends it.
  func sendLatest(_ value: Value) {
    var old: Value?
    send(deciding: {
      old = latest
      latest = value
      return value
    })
    withExtendedLifetime(old) {}
  }

  override var first: Value? { latest }
}
