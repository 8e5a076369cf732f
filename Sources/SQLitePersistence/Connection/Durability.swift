/// What a returned commit survives.
public enum Durability: String, Sendable {
  /// Power loss. Each commit waits for the disk.
  case full
  /// The end of the process. Power loss takes a tail of the commits, never part of one.
  case normal
}
