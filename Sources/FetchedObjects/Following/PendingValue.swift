/// A value that a follower shows, with the type of the difference between two such values.
protocol PendingValue: Sendable {
  associatedtype Touched: TouchedRows = TouchedObjects
}
