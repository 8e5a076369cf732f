extension FetchedDataSnapshot: CustomStringConvertible {
  /// The stored result as a text, such as `Car at version 7: "Ann" [1, 2], "Bob" [3]`.
  public var description: String { "\(result)" }
}

extension FetchedDataEvent: CustomStringConvertible {
  /// The reason and the changes, such as `change: insert 0.3, update 0.1 → 0.1`.
  public var description: String { "\(reason): \(batch.changes)" }
}
