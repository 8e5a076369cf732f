internal import EntityStore

/// Whether an observed object is there.
public enum ObservedEntityState: Hashable, Sendable {
  /// It is there.
  case live
  /// It has been deleted; its last value is kept, and it lives on if the id comes back.
  case deleted
  /// It has never been there since it is observed, so there is no value yet.
  case absent
}
