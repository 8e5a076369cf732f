public import EntityStore
public import ListDiffing
internal import Locking

/// What happened to a result: the result before, the result after, and the exact changes between.
public struct FetchedObjectsEvent<E: Entity>: Sendable {
  /// The result before.
  public let before: FetchedObjectsSnapshot<E>
  /// The changes.
  ///
  /// Old paths refer to `before`, new paths to `after` (D1).
  public let changes: ListChanges
  /// The result after, which the model shows while the event is told.
  public let after: FetchedObjectsSnapshot<E>
  /// The versions of the commits that the event tells of.
  public let versions: ClosedRange<Int64>
}

extension FetchedObjectsEvent {
  init(_ event: ResultEvent, _ changes: ListChanges) {
    self.init(
      before: FetchedObjectsSnapshot(result: event.before), changes: changes,
      after: FetchedObjectsSnapshot(result: event.after), versions: event.versions)
  }
}

extension ResultEvent {
  /// Whether something can be read of the result that its changes don't name: what is included, or how
  /// many rows there are outside the window.
  var isWiderThanChanges: Bool {
    before.plan !== after.plan || before.totalCount != after.totalCount
      || before.rowsBefore != after.rowsBefore
  }

  /// Whether there may be other sums though the rows that are shown are the same: those of a window are
  /// of all rows, and another query may have others.
  private var mayChangeSumsAlone: Bool {
    before.plan !== after.plan || before.window != nil || after.window != nil
  }

  /// Whether there are other sums, though perhaps the same rows.
  var changesSummaries: Bool { mayChangeSumsAlone && after.summariesDiffer(from: before) }

  /// The sections that something has changed of that the changes don't name.
  var sectionsChangedUnnamed: [SectionID] {
    guard mayChangeSumsAlone else { return [] }
    return after.sectionsThatDifferUnnamed(from: before).map { SectionID(identity: $0) }
  }
}

extension ListChanges {
  /// The changes of an event.
  init(_ event: ResultEvent) {
    event.after.plan.differed.add(1)
    if case .placed(let placed) = event.difference, event.before.plan === event.after.plan,
      placed.areOf(event.before, event.after)
    {
      self = placed.changes(from: event.before, to: event.after)
    } else {
      self = listChanges(from: event.before, to: event.after, touching: event.touched)
    }
  }
}
