public import EntityStore
public import ListDiffing
internal import Locking

/// A change of a result: the result before, the result after, and the exact changes between them.
///
///     let token = cars.didChange.subscribe(on: .mainActor) { event in
///       print("\(event.before.count) cars before, \(event.after.count) after")
///       for change in event.changes.inOrder { print(change) }
///     }
public struct FetchedObjectsEvent<E: Entity>: Sendable {
  /// The result before.
  public let before: FetchedObjectsSnapshot<E>
  /// The changes.
  ///
  /// Old paths refer to `before`, new paths to `after` (D1).
  public let changes: ListChanges
  /// The result after.
  ///
  /// The model shows it while the event is delivered.
  public let after: FetchedObjectsSnapshot<E>
  /// The versions of the commits in the event.
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
  /// True if the results differ in something that the changes don't name: the included values, or
  /// the number of rows outside the window.
  var isWiderThanChanges: Bool {
    before.plan !== after.plan || before.totalCount != after.totalCount
      || before.rowsBefore != after.rowsBefore
  }

  /// True if the sums may differ while the shown rows are the same.
  ///
  /// The sums of a window cover all rows, and another query may have other sums.
  private var mayChangeSumsAlone: Bool {
    before.plan !== after.plan || before.window != nil || after.window != nil
  }

  /// True if the sums differ, even if the rows are the same.
  var changesSummaries: Bool { mayChangeSumsAlone && after.summariesDiffer(from: before) }

  /// The sections that differ although the changes don't name them.
  var sectionsChangedUnnamed: [SectionID] {
    guard mayChangeSumsAlone else { return [] }
    return after.sectionsThatDifferUnnamed(from: before).map { SectionID(identity: $0) }
  }
}

extension ListChanges {
  /// Creates the changes of an event.
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
