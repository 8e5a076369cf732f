public import ListDiffing

extension ListUpdating {
  /// Applies an event of a model to the host.
  ///
  /// Nothing is compared but the content of moved rows, because the event contains the changes.
  ///
  ///     token = cars.didChange.subscribe(on: .mainActor) { [weak self] event in
  ///       self?.tableView.performBatchUpdates(event) { self?.shown = event.after }
  ///     }
  ///
  /// The host has to show the list before the event, and its data source has to read the data
  /// that `updateData` sets. A host that isn't shown, or that shows other counts, reloads instead.
  ///
  /// - Parameters:
  ///   - event: The event to apply.
  ///   - animated: True to animate the changes.
  ///   - updateData: A closure that sets the data that the host reads to the list after the
  ///     event. It is called once, before this method returns.
  ///   - completion: A closure that is called when the change is no longer visible. It gets true if
  ///     the change finished.
  /// - Complexity: O(*s* log *s* + *k* log *n*), where *s* is the number of sections, *k* the
  ///   number of changes and *n* the number of rows, plus the work of the host.
  public func performBatchUpdates<Row>(
    _ event: ListEvent<Row>, animated: Bool = true, updateData: @escaping () -> Void,
    completion: ((Bool) -> Void)? = nil
  ) {
    let (before, after) = (event.before, event.after)
    performBatchUpdates(
      event.changes, of: before.rowCounts, animated: animated,
      isMovedRowChanged: { !before[$0.old].isContentEqual(to: after[$0.new]) },
      isMovedHeaderChanged: {
        !ComparedHeader(before.sections[$0.old].header)
          .isContentEqual(to: ComparedHeader(after.sections[$0.new].header))
      },
      updateData: updateData, completion: completion)
  }
}
