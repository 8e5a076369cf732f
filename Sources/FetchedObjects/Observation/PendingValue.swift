/// A value that a follower shows, and the difference between two of them.
protocol PendingValue: Sendable {
  associatedtype Touched: TouchedRows = TouchedObjects
}

/// The rows that may differ between two values.
protocol TouchedRows: Sendable {
  /// Adds what may differ by a later step.
  mutating func formUnion(_ later: Self)
}
