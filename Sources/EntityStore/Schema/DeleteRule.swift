/// The effect on an object when the object that it refers to is deleted.
///
///     .one("owner", \.owner, inverse: \.cars, onDelete: .cascade)
public enum DeleteRule: String, Sendable, Hashable {
  /// The reference becomes nil.
  case nullify
  /// The object is deleted too.
  case cascade
  /// The commit throws if the object stays and still refers to the other.
  case deny
}
