public import ListDiffing

/// What happened to a provider's data: why, the version before, the one after, and what differs.
public struct FetchedDataEvent<Mapping: DataMapping>: Sendable {
  /// Why there is another version.
  public enum Reason: Hashable, Sendable {
    /// The data have been fetched, for the first time or again.
    case reload
    /// Another query has been set.
    case filter
    /// Something has been committed.
    case change
  }

  /// Why.
  public let reason: Reason

  /// The version before; nil for a reload.
  public let before: FetchedDataSnapshot<Mapping>?

  /// The version after, which the provider shows while the event is told.
  public let after: FetchedDataSnapshot<Mapping>

  /// The rows and sections that differ, with what is shown of them; for a reload all of them, as insertions.
  ///
  /// An object is nil if a part of it is missing; its path is told all the same.
  public let batch: CacheTransactionBatch<Mapping.Object?>
}

/// Somebody who is told of a provider's events in the six calls of a fetched results controller.
///
///     token = provider.events.subscribe(on: .mainActor) { [weak self] event in
///       if let self { event.tell(self) }
///     }
///
/// It is called where you are: a class of the main actor, or an actor, conforms like any other. Calls that it doesn't have
/// do nothing. In all of them the provider shows the version after; the paths of what came and moved refer to that,
/// the old ones to the version before.
public protocol FetchedDataDelegate<Mapping>: AnyObject {
  /// What leads from stored objects to those of the screen.
  associatedtype Mapping: DataMapping

  /// The data have been fetched.
  func providerDidReloadData(_ source: FetchedDataSnapshot<Mapping>)

  /// Another query has been set; `source` is its result.
  func providerDidFilterData(_ source: FetchedDataSnapshot<Mapping>)

  /// Changes are going to be told; `source` is the version before.
  func providerWillChangeContent(_ source: FetchedDataSnapshot<Mapping>)

  /// A section has come, gone, moved, or has another title.
  ///
  /// - Parameters:
  ///   - source: The version after.
  ///   - position: Where it was, or nil if it came.
  ///   - kind: What happened.
  ///   - newPosition: Where it is, or nil if it went.
  func provider(
    _ source: FetchedDataSnapshot<Mapping>, didChangeSectionAt position: Int?,
    for kind: ChangeKind, newPosition: Int?)

  /// A row has come, gone, moved or changed.
  ///
  /// - Parameters:
  ///   - source: The version after.
  ///   - object: What is shown of it, what was shown last if it went, or nil if a part of it is missing.
  ///   - path: Where it was, or nil if it came.
  ///   - kind: What happened.
  ///   - newPath: Where it is, or nil if it went.
  func provider(
    _ source: FetchedDataSnapshot<Mapping>, didChange object: Mapping.Object?, at path: ListPath?,
    for kind: ChangeKind, newPath: ListPath?)

  /// All changes have been told.
  func providerDidChangeContent(_ source: FetchedDataSnapshot<Mapping>)
}

extension FetchedDataDelegate {
  /// Nothing.
  public func providerDidReloadData(_ source: FetchedDataSnapshot<Mapping>) {}

  /// Nothing.
  public func providerDidFilterData(_ source: FetchedDataSnapshot<Mapping>) {}

  /// Nothing.
  public func providerWillChangeContent(_ source: FetchedDataSnapshot<Mapping>) {}

  /// Nothing.
  public func provider(
    _ source: FetchedDataSnapshot<Mapping>, didChangeSectionAt position: Int?,
    for kind: ChangeKind, newPosition: Int?
  ) {}

  /// Nothing.
  public func provider(
    _ source: FetchedDataSnapshot<Mapping>, didChange object: Mapping.Object?, at path: ListPath?,
    for kind: ChangeKind, newPath: ListPath?
  ) {}

  /// Nothing.
  public func providerDidChangeContent(_ source: FetchedDataSnapshot<Mapping>) {}
}

extension FetchedDataEvent {
  /// Tells a delegate of the event, at once: reload and filter in one call, changes between will and did, sections first.
  public func tell(_ delegate: some FetchedDataDelegate<Mapping>) {
    switch reason {
    case .reload: delegate.providerDidReloadData(after)
    case .filter: delegate.providerDidFilterData(after)
    case .change:
      delegate.providerWillChangeContent(before ?? after)
      tellSections(delegate)
      for transactions in [
        batch.deleteTransactions, batch.insertTransactions, batch.moveTransactions,
        batch.updateTransactions,
      ] {
        for transaction in transactions {
          delegate.provider(
            after, didChange: transaction.object, at: transaction.oldIndexPath,
            for: transaction.changeType, newPath: transaction.updatedIndexPath)
        }
      }
      delegate.providerDidChangeContent(after)
    }
  }

  private func tellSections(_ delegate: some FetchedDataDelegate<Mapping>) {
    let changes = batch.sectionChanges
    func tell(_ old: Int?, _ kind: ChangeKind, _ new: Int?) {
      delegate.provider(after, didChangeSectionAt: old, for: kind, newPosition: new)
    }
    for section in changes.deletedSections { tell(section, .delete, nil) }
    for section in changes.insertedSections { tell(nil, .insert, section) }
    for move in changes.movedSections { tell(move.old, .move, move.new) }
    for update in changes.updatedSections { tell(update.old, .update, update.new) }
  }
}
