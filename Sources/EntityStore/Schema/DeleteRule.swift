/// What happens to an object when the one it refers to is deleted.
public enum DeleteRule: String, Sendable, Hashable {
  /// The reference becomes nil.
  case nullify
  /// The object is deleted too.
  case cascade
  /// The commit throws, as long as the object stays and still refers to the other.
  case deny
}
