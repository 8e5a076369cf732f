internal import Locking

// Members of lists whose rows are objects.
extension ListSnapshot where Row: ObjectView {
  /// The shown objects, in order.
  ///
  /// Each is read on access.
  ///
  /// - Complexity: O(1)
  public var fetchedObjects: FetchedObjectList<Row> { FetchedObjectList(content: content) }
}

extension ListContent {
  /// The result of a query, for its sums.
  ///
  /// - Precondition: The list isn't derived from another one.
  var aggregatedResult: ResultView {
    guard let result else {
      mistake(
        "A list that is derived from others has no sums; filter in the query, and read its sums")
    }
    return result
  }
}
