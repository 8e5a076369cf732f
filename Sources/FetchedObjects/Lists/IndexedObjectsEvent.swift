public import ListDiffing

/// A change of an index-only result: the result before, the result after, and the exact changes
/// between them.
///
///     let token = cars.didChange.subscribe(on: .mainActor) { event in
///       print("\(event.before.count) cars before, \(event.after.count) after")
///     }
///
/// It contains no objects and no ids.
public struct IndexedObjectsEvent: Sendable {
  /// The result before.
  public let before: IndexedObjectsSnapshot
  /// The changes.
  ///
  /// Old paths refer to `before`, new paths to `after` (D1).
  public let changes: ListChanges
  /// The result after.
  ///
  /// The model shows it while the event is delivered.
  public let after: IndexedObjectsSnapshot
  /// The versions of the commits in the event.
  public let versions: ClosedRange<Int64>
}

extension ListUpdating {
  /// Applies an event of an index-only model to the host.
  ///
  /// Only the titles of moved sections are compared.
  ///
  ///     token = cars.didChange.subscribe(on: .mainActor) { [weak self] event in
  ///       self?.tableView.performBatchUpdates(event) { self?.shown = event.after }
  ///     }
  ///
  /// The host has to show the result before the event, and its data source has to read the data
  /// that `updateData` sets. A host that isn't shown, or that shows other counts, reloads instead.
  ///
  /// - Parameters:
  ///   - event: The event to apply.
  ///   - animated: True to animate the changes.
  ///   - updateData: A closure that sets the data that the host reads to the result after the
  ///     event. It is called once, before this method returns.
  ///   - completion: A closure that is called when the change is no longer visible. It gets true if
  ///     the change finished.
  /// - Complexity: O(*s* log *s* + *k* log *k*), where *s* is the number of sections and *k* the
  ///   number of changes, plus the work of the host.
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
