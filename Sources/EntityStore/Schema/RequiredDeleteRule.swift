/// What happens to an object that can't be without the one it refers to.
public enum RequiredDeleteRule: String, Sendable, Hashable {
  /// The object is deleted too.
  case cascade
  /// The commit throws, as long as the object stays and still refers to the other.
  case deny

  var rule: DeleteRule {
    switch self {
    case .cascade: .cascade
    case .deny: .deny
    }
  }
}
