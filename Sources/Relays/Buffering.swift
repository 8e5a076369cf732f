/// The values that a `for await` loop keeps when they come faster than it takes them.
///
///     for await price in prices.values(buffering: .newest(1)) { show(price) }
public enum Buffering: Sendable {
  /// All values.
  case unbounded
  /// The newest values, at most this many; 0 or more.
  case newest(Int)
  /// The oldest values, at most this many, 0 or more; later ones are dropped while it is full.
  case oldest(Int)
}
