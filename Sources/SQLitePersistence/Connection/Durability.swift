/// The failures that a returned commit survives.
///
///     let store = try Store(.sqlite(path: path, durability: .normal), entities: [Dog.self])
public enum Durability: String, Sendable {
  /// A commit survives a crash of the system and the loss of power.
  ///
  /// Each commit waits for the disk.
  case full
  /// A commit survives the end of the process.
  ///
  /// A crash of the system or the loss of power may take the last commits, but never a part of one.
  case normal
}
