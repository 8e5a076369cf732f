public import ListDiffing

/// What happened to an index-only result: the result before, the result after, and the exact changes
/// between.
///
/// It carries no objects and no ids.
public struct IndexedObjectsEvent: Sendable {
  /// The result before.
  public let before: IndexedObjectsSnapshot
  /// The changes.
  ///
  /// Old paths refer to `before`, new paths to `after` (D1).
  public let changes: ListChanges
  /// The result after, which the model shows while the event is told.
  public let after: IndexedObjectsSnapshot
  /// The versions of the commits that the event tells of.
  public let versions: ClosedRange<Int64>
}

extension ListUpdating {
  /// Shows what an event of an index-only model tells; nothing is compared but the titles of moved sections.
  ///
  ///     token = cars.didChange.subscribe(on: .mainActor) { [weak self] event in
  ///       self?.tableView.performBatchUpdates(event) { self?.shown = event.after }
  ///     }
  ///
  /// The host has to show the result before the event, and its data source to read what `updateData` sets. A host
  /// that isn't shown, or shows other counts, reloads instead.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - animated: Whether to show how the list changes.
  ///   - updateData: Brings the data that the host reads to the result after the event. It is called once, before
  ///     this method returns.
  ///   - completion: Is called when the change is no longer seen to happen, with whether it came to its end.
  /// - Complexity: O(*s* log *s* + *k* log *k*), where *s* is the number of sections and *k* that of changes; besides what
  ///   the host takes.
  public func performBatchUpdates(
    _ event: IndexedObjectsEvent, animated: Bool = true, updateData: @escaping () -> Void,
    completion: ((Bool) -> Void)? = nil
  ) {
    let (before, after) = (event.before, event.after)
    performBatchUpdates(
      event.changes, of: before.rowCounts, animated: animated,
      isMovedHeaderChanged: { before.sections[$0.old].name != after.sections[$0.new].name },
      updateData: updateData, completion: completion)
  }
}
