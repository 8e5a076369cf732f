public import EntityStore

extension Store {
  /// The progress of a copy of a store.
  ///
  ///     try store.backUp(to: path) { bar.value = $0.fraction }
  public struct BackupProgress: Hashable, Sendable {
    /// The number of the file's pages that are copied, or of objects if the store isn't in a file.
    public let completed: Int
    /// The number of all pages or objects.
    public let total: Int
    /// The version that is copied.
    public let version: Int64

    /// The fraction that is copied, from 0 to 1.
    public var fraction: Double { total == 0 ? 1 : Double(completed) / Double(total) }

    init(completed: Int, of total: Int, version: Int64) {
      self.completed = completed
      self.total = total
      self.version = version
    }
  }
}
