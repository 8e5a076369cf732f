/// How far an export or an import has come.
public struct JSONLinesProgress: Hashable, Sendable {
  /// The objects that have been written, or read.
  public let completed: Int
  /// How many there are; nil for an import whose header doesn't say.
  public let total: Int?

  /// From 0 to 1; nil where the total isn't known.
  ///
  /// A file that holds more objects than its header says stays at 1 until it is refused.
  public var fraction: Double? {
    total.map { $0 <= completed ? 1 : Double(completed) / Double($0) }
  }

  init(completed: Int, of total: Int?) {
    self.completed = completed
    self.total = total
  }

  /// After how many objects it is told.
  static let step = 1000
}
