/// What a `for await` loop keeps of values that come faster than it takes them.
public enum Buffering: Sendable {
  /// All of them.
  case unbounded
  /// The newest, at most so many; 0 or more.
  case newest(Int)
  /// The oldest, at most so many, 0 or more; later ones are dropped while it is full.
  case oldest(Int)
}
