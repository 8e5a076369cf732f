/// The objects that a draft has written and that match a filter.
///
/// A body may take the first object of a query, change it so that it no longer matches, and take
/// the next one. The draft keeps the matches of the last filter, so that it doesn't test everything
/// that it has written each time.
struct WrittenMatches {
  let filter: QueryExpression
  /// The objects that match, and perhaps those that were written since.
  private(set) var ids: Set<StoredValue>
  /// The number of writes since the filter was last applied.
  private(set) var since = 0
  /// The number of changes whose old rows have been tested.
  let seen: Int
  /// The number of these old rows that match.
  let oldCount: Int

  init(_ filter: QueryExpression, _ ids: Set<StoredValue>, seen: Int, oldCount: Int) {
    self.filter = filter
    self.ids = ids
    self.seen = seen
    self.oldCount = oldCount
  }

  mutating func noteWritten(_ id: StoredValue) {
    ids.insert(id)
    since += 1
  }
}
