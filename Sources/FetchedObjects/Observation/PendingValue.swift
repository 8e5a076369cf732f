/// A value that a follower shows, and the difference between two of them.
protocol PendingValue: Sendable {
  associatedtype Touched: TouchedRows = TouchedObjects
}
