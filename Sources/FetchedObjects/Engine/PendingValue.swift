/// A value that a follower shows, with the type of the difference between two such values.
protocol PendingValue: Sendable {
  associatedtype Touched: TouchedRows = TouchedObjects

  /// Removes what neither of two values has, if there is much of it.
  static func trim(_ touched: inout Touched, from before: Self, to after: Self)
}

extension PendingValue {
  static func trim(_ touched: inout Touched, from before: Self, to after: Self) {}
}
