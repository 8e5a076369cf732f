extension JSONLines {
  /// The progress of an export or an import.
  ///
  ///     try store.importJSONLines(from: url, progress: { bar.value = $0.fraction ?? 0 })
  public struct Progress: Hashable, Sendable {
    /// The number of objects that have been written, or read.
    public let completed: Int
    /// The number of all objects, or nil for an import whose header doesn't state it.
    public let total: Int?

    /// The progress from 0 to 1, or nil if the total isn't known.
    ///
    /// If a file contains more objects than its header states, it stays at 1 until the file is
    /// refused.
    public var fraction: Double? {
      total.map { $0 <= completed ? 1 : Double(completed) / Double($0) }
    }

    init(completed: Int, of total: Int?) {
      self.completed = completed
      self.total = total
    }

    /// The number of objects after which progress is reported.
    static let step = 1000
  }
}
