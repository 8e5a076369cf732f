public import EntityStore
public import ListDiffing

extension ListUpdating {
  /// Shows what an event of a model tells; nothing is compared, since the event has the changes.
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
  /// - Complexity: O(*s* log *s* + *k* log *n*), where *s* is the number of sections, *k* that of changes and *n* that of
  ///   objects; besides what the host takes.
  public func performBatchUpdates<E: Entity>(
    _ event: FetchedObjectsEvent<E>, animated: Bool = true, updateData: @escaping () -> Void,
    completion: ((Bool) -> Void)? = nil
  ) {
    let (before, after) = (event.before, event.after)
    performBatchUpdates(
      event.changes, of: before.rowCounts, animated: animated,
      isMovedRowChanged: { before[$0.old] != after[$0.new] },
      isMovedHeaderChanged: { before.sections[$0.old].name != after.sections[$0.new].name },
      updateData: updateData, completion: completion)
  }
}
