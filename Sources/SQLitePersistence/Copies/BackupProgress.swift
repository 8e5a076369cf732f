/// How far a copy of a store has come.
///
///     try store.backUp(to: path) { bar.value = $0.fraction }
public struct BackupProgress: Hashable, Sendable {
  /// The pages of the file, or for a store that isn't in a file the objects, that are copied.
  public let completed: Int
  /// How many there are.
  public let total: Int
  /// The version that is copied.
  public let version: Int64

  /// From 0 to 1.
  public var fraction: Double { total == 0 ? 1 : Double(completed) / Double(total) }

  init(completed: Int, of total: Int, version: Int64) {
    self.completed = completed
    self.total = total
    self.version = version
  }
}
