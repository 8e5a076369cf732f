public import ListDiffing

/// A change of a derived list: the list before, the list after, and the exact changes between them.
///
///     let token = rows.didChange.subscribe(on: .mainActor) { event in
///       print("\(event.before.count) rows before, \(event.after.count) after")
///       for change in event.changes.inOrder { print(change) }
///     }
public struct DerivedEvent<Row: Diffable & Sendable>: Sendable {
  /// The list before.
  public let before: DerivedSnapshot<Row>
  /// The changes, of which there is at least one.
  ///
  /// Old paths refer to `before`, new paths to `after` (D1).
  public let changes: ListChanges
  /// The list after.
  ///
  /// The model shows it while the event is delivered.
  public let after: DerivedSnapshot<Row>
  /// The versions of the commits in the event.
  public let versions: ClosedRange<Int64>

  init(_ event: ListEvent<Row>) {
    before = DerivedSnapshot(content: event.before)
    changes = event.changes
    after = DerivedSnapshot(content: event.after)
    versions = event.versions
  }
}

extension ListUpdating {
  /// Applies an event of a derived model to the host.
  ///
  ///     token = rows.didChange.subscribe(on: .mainActor) { [weak self] event in
  ///       self?.tableView.performBatchUpdates(event) { self?.shown = event.after }
  ///     }
  ///
  /// Only the content of moved rows is compared. The host has to show the list before the event,
  /// and its data source has to read the data that `updateData` sets. A host that isn't shown, or
  /// that shows other counts, reloads instead.
  ///
  /// - Parameters:
  ///   - event: The event to apply.
  ///   - animated: True to animate the changes.
  ///   - updateData: A closure that updates the data that the host reads to the list after the
  ///     event. It is called once, before this method returns.
  ///   - completion: A closure that is called when the change is no longer visible, with true if
  ///     the change finished.
  /// - Complexity: O(*s* log *s* + *k* log *n*), where *s* is the number of sections, *k* that of
  ///   changes and *n* that of rows. The host's own work is added to this.
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
