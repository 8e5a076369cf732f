extension DeleteRule {
  /// The effect on an object with a required reference when the object that it refers to is
  /// deleted.
  ///
  ///     .one("album", \.album, onDelete: .cascade)
  public enum Required: String, Sendable, Hashable {
    /// The object is deleted too.
    case cascade
    /// The commit throws if the object stays and still refers to the other.
    case deny

    var rule: DeleteRule {
      switch self {
      case .cascade: .cascade
      case .deny: .deny
      }
    }
  }
}
