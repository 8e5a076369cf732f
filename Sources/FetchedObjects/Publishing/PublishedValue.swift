internal import ListDiffing
internal import Locking

/// A value that a follower shows, as a list that a model publishes.
protocol PublishedValue: PendingValue, WindowedResult {
  static func changes(of event: PendingChanges<Self>.Event) -> ListChanges

  /// Returns true if an event without changes is published, because sums differ.
  static func changesSummaries(_ event: PendingChanges<Self>.Event) -> Bool

  /// Returns the sections that differ, in their sums or their order, although none of their shown
  /// rows has changed.
  static func sectionsChangedUnnamed(_ event: PendingChanges<Self>.Event) -> [SectionID]
}

extension PublishedValue {
  static func changesSummaries(_ event: PendingChanges<Self>.Event) -> Bool { false }

  /// Returns true if the values belong to different queries, or differ in the number of rows in all
  /// or before the window, or in the row that the window stays around.
  static func isWiderThanChanges(_ event: PendingChanges<Self>.Event) -> Bool {
    let (before, after) = (event.before, event.after)
    return before.plan !== after.plan || before.totalCount != after.totalCount
      || before.rowsBefore != after.rowsBefore
      || before.window?.anchor?.id != after.window?.anchor?.id
  }
}

extension IndexView: PublishedValue {
  static func changes(of event: IndexEvent) -> ListChanges {
    ListChanges(event.touched.step, from: event.before, to: event.after)
  }

  static func sectionsChangedUnnamed(_ event: IndexEvent) -> [SectionID] {
    event.after.reordered(since: event.before).map {
      SectionID(identity: event.after.key(ofSection: $0).identity)
    }
  }
}

extension ResultView: PublishedValue {
  static func trim(
    _ touched: inout TouchedObjects, from before: ResultView, to after: ResultView
  ) {
    guard case .union(let ids) = touched,
      ids.count > 64 + 2 * (before.base.count + after.base.count)
    else { return }
    touched = .union(ids.filter { before.base.row($0) != nil || after.base.row($0) != nil })
  }

  static func changes(of event: ResultEvent) -> ListChanges {
    let (before, after) = (event.before, event.after)
    after.plan.differed.add(1)
    if case .placed(let placed) = event.touched, before.plan === after.plan,
      placed.areOf(before, after)
    {
      return placed.changes(from: before, to: after)
    }
    return listChanges(from: before, to: after, touching: event.touched.ids)
  }

  static func changesSummaries(_ event: ResultEvent) -> Bool {
    mayChangeSumsAlone(event) && event.after.summariesDiffer(from: event.before)
  }

  static func sectionsChangedUnnamed(_ event: ResultEvent) -> [SectionID] {
    guard mayChangeSumsAlone(event) else { return [] }
    return event.after.sectionsThatDifferUnnamed(from: event.before).map {
      SectionID(identity: $0)
    }
  }

  /// True if the sums may differ while the shown rows are the same.
  ///
  /// The sums of a window cover all rows, and another query may have other sums.
  private static func mayChangeSumsAlone(_ event: ResultEvent) -> Bool {
    event.before.plan !== event.after.plan || event.before.window != nil
      || event.after.window != nil
  }
}
