/// The failures that a returned commit survives.
///
///     let store = try Store(.sqlite(path: path, durability: .normal), entities: [Dog.self])
public enum Durability: String, Sendable {
  /// A commit survives power loss.
  ///
  /// Each commit waits for the disk.
  case full
  /// A commit survives the end of the process.
  ///
  /// Power loss may take the last commits, but never a part of one.
  case normal
}
