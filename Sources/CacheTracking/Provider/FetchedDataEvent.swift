public import ListDiffing

/// An event of a provider's data: the reason, the versions before and after, and the differences.
///
///     token = provider.events.subscribe(on: .mainActor) { event in
///       print(event)  // change: insert 0.3, update 0.1 → 0.1
///     }
public struct FetchedDataEvent<Mapping: DataMapping>: Sendable {
  /// The reason for a new version.
  public enum Reason: Hashable, Sendable {
    /// The data have been fetched, for the first time or again.
    case reload
    /// Another query has been set.
    case filter
    /// A commit has changed the data.
    case change
  }

  /// The reason for the new version.
  public let reason: Reason

  /// The version before, or nil for a reload.
  public let before: FetchedDataSnapshot<Mapping>?

  /// The version after.
  ///
  /// The provider shows it while the event is delivered.
  public let after: FetchedDataSnapshot<Mapping>

  /// The rows and sections that differ, with their objects.
  ///
  /// For a reload, all of them are insertions.
  ///
  /// An object is nil if a part of it is missing. Its path is delivered nevertheless.
  public let batch: CacheTransactionBatch<Mapping.Object?>
}

/// A delegate that receives a provider's events in the six calls of a fetched results controller.
///
///     token = provider.events.subscribe(on: .mainActor) { [weak self] event in
///       if let self { event.notify(self) }
///     }
///
/// The delegate is called in the context of the code that calls `event.notify(_:)`. So a class of
/// the main actor, or an actor, can conform like any other class. Methods that it doesn't implement
/// do nothing. During all calls, the provider shows the version after. New paths refer to that
/// version, old paths to the version before.
public protocol FetchedDataDelegate<Mapping>: AnyObject {
  /// The mapping between stored objects and the objects of the screen.
  associatedtype Mapping: DataMapping

  /// Called when the data have been fetched.
  func providerDidReloadData(_ source: FetchedDataSnapshot<Mapping>)

  /// Called when another query has been set, after the calls for its changes.
  ///
  /// `source` is the result of the query. A delegate that has applied the changes needn't reload.
  func providerDidFilterData(_ source: FetchedDataSnapshot<Mapping>)

  /// Called before changes are delivered.
  ///
  /// `source` is the version before.
  func providerWillChangeContent(_ source: FetchedDataSnapshot<Mapping>)

  /// Called when a section has been inserted, deleted or moved, or has another title.
  ///
  /// - Parameters:
  ///   - source: The version after.
  ///   - position: The position before, or nil if the section was inserted.
  ///   - kind: The kind of the change.
  ///   - newPosition: The position after, or nil if the section was deleted.
  func provider(
    _ source: FetchedDataSnapshot<Mapping>, didChangeSectionAt position: Int?,
    for kind: ChangeKind, newPosition: Int?)

  /// Called when a row has been inserted, deleted, moved or updated.
  ///
  /// - Parameters:
  ///   - source: The version after.
  ///   - object: The object of the row. For a deleted row, it is the object that was shown last. It
  ///     is nil if a part of the object is missing.
  ///   - path: The path before, or nil if the row was inserted.
  ///   - kind: The kind of the change.
  ///   - newPath: The path after, or nil if the row was deleted.
  func provider(
    _ source: FetchedDataSnapshot<Mapping>, didChange object: Mapping.Object?, at path: ListPath?,
    for kind: ChangeKind, newPath: ListPath?)

  /// Called after all changes have been delivered.
  func providerDidChangeContent(_ source: FetchedDataSnapshot<Mapping>)
}

extension FetchedDataDelegate {
  /// Does nothing.
  public func providerDidReloadData(_ source: FetchedDataSnapshot<Mapping>) {}

  /// Does nothing.
  public func providerDidFilterData(_ source: FetchedDataSnapshot<Mapping>) {}

  /// Does nothing.
  public func providerWillChangeContent(_ source: FetchedDataSnapshot<Mapping>) {}

  /// Does nothing.
  public func provider(
    _ source: FetchedDataSnapshot<Mapping>, didChangeSectionAt position: Int?,
    for kind: ChangeKind, newPosition: Int?
  ) {}

  /// Does nothing.
  public func provider(
    _ source: FetchedDataSnapshot<Mapping>, didChange object: Mapping.Object?, at path: ListPath?,
    for kind: ChangeKind, newPath: ListPath?
  ) {}

  /// Does nothing.
  public func providerDidChangeContent(_ source: FetchedDataSnapshot<Mapping>) {}
}

extension FetchedDataEvent {
  /// Calls the delegate's methods for this event, before it returns.
  ///
  /// A reload is one call. For a change, the calls for sections and then for rows come between the
  /// calls for "will" and "did". For a filter, the same calls are made. The calls for "will" and
  /// "did" are made even if nothing differs. ``FetchedDataDelegate/providerDidFilterData(_:)`` is
  /// called last.
  public func notify(_ delegate: some FetchedDataDelegate<Mapping>) {
    switch reason {
    case .reload: delegate.providerDidReloadData(after)
    case .filter:
      notifyChanges(delegate)
      delegate.providerDidFilterData(after)
    case .change: notifyChanges(delegate)
    }
  }

  private func notifyChanges(_ delegate: some FetchedDataDelegate<Mapping>) {
    delegate.providerWillChangeContent(before ?? after)
    notifySections(delegate)
    for transaction in [
      batch.deleteTransactions, batch.insertTransactions, batch.moveTransactions,
      batch.updateTransactions,
    ].joined() {
      delegate.provider(
        after, didChange: transaction.object, at: transaction.oldIndexPath,
        for: transaction.changeType, newPath: transaction.updatedIndexPath)
    }
    delegate.providerDidChangeContent(after)
  }

  private func notifySections(_ delegate: some FetchedDataDelegate<Mapping>) {
    let changes = batch.sectionChanges
    func notify(_ old: Int?, _ kind: ChangeKind, _ new: Int?) {
      delegate.provider(after, didChangeSectionAt: old, for: kind, newPosition: new)
    }
    for section in changes.deletedSections { notify(section, .delete, nil) }
    for section in changes.insertedSections { notify(nil, .insert, section) }
    for move in changes.movedSections { notify(move.old, .move, move.new) }
    for update in changes.updatedSections { notify(update.old, .update, update.new) }
  }
}
