public import ListDiffing

/// What happened to a derived list: the list before, the list after, and the exact changes between.
public struct DerivedEvent<Row: Diffable & Sendable>: Sendable {
  /// The list before.
  public let before: DerivedSnapshot<Row>
  /// The changes; never none.
  ///
  /// Old paths refer to `before`, new paths to `after` (D1).
  public let changes: ListChanges
  /// The list after, which the model shows while the event is told.
  public let after: DerivedSnapshot<Row>
  /// The versions of the commits that the event tells of.
  public let versions: ClosedRange<Int64>

  init(_ event: ListEvent<Row>) {
    before = DerivedSnapshot(content: event.before)
    changes = event.changes
    after = DerivedSnapshot(content: event.after)
    versions = event.versions
  }
}

extension ListUpdating {
  /// Shows what an event of a derived model tells; nothing is compared but the content of moved rows.
  ///
  ///     token = rows.didChange.subscribe(on: .mainActor) { [weak self] event in
  ///       self?.tableView.performBatchUpdates(event) { self?.shown = event.after }
  ///     }
  ///
  /// The host has to show the list before the event, and its data source to read what `updateData` sets. A host
  /// that isn't shown, or shows other counts, reloads instead.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - animated: Whether to show how the list changes.
  ///   - updateData: Brings the data that the host reads to the list after the event. It is called once, before
  ///     this method returns.
  ///   - completion: Is called when the change is no longer seen to happen, with whether it came to its end.
  /// - Complexity: O(*s* log *s* + *k* log *n*), where *s* is the number of sections, *k* that of changes and *n* that of
  ///   rows; besides what the host takes.
  public func performBatchUpdates<Row>(
    _ event: DerivedEvent<Row>, animated: Bool = true, updateData: @escaping () -> Void,
    completion: ((Bool) -> Void)? = nil
  ) {
    let (before, after) = (event.before, event.after)
    performBatchUpdates(
      event.changes, of: before.rowCounts, animated: animated,
      isMovedRowChanged: { !before[$0.old].isContentEqual(to: after[$0.new]) },
      isMovedHeaderChanged: { before.sections[$0.old].name != after.sections[$0.new].name },
      updateData: updateData, completion: completion)
  }
}
