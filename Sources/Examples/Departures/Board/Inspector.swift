import DeparturesModel
@_spi(Storage) @_spi(Inspection) import Signalbox

/// An inspector of the store while it works.
///
/// It shows the last commits with their changes and costs, and the live results.
@MainActor final class Inspector {
  private struct Entry {
    var versions: ClosedRange<Int64>
    var clock: String
    var name: String?
    /// The changed objects, such as `Departure ~3`.
    var objects: String
    var changes: ChangeCounts?
    var work: WorkCounts?
  }

  private let presenter: BoardPresenter
  private var entries: [Entry] = []
  private var tokens: [SubscriptionToken] = []
  private var workBefore: WorkCounts

  private static let mostEntries = 200

  init(_ presenter: BoardPresenter) {
    self.presenter = presenter
    workBefore = WorkCounts(presenter.departures.work)
    tokens = [
      presenter.store.commits.subscribe(on: .mainActor) { [weak self] in self?.take($0) },
      presenter.departures.didChange.subscribe(on: .mainActor) { [weak self] in self?.take($0) },
    ]
  }

  private func take(_ commit: Commit) {
    note(commit.versions)
    guard let last = entries.indices.last else { return }
    entries[last].name = commit.name
    entries[last].objects = commit.changes.tables.map(Self.text).joined(separator: ", ")
    close(last)
  }

  private func take(_ event: ListEvent<EntityView<Departure>>) {
    if entries.last?.versions == event.versions, entries.last?.changes != nil {
      // The commit has already been delivered, so this event belongs to a switch of sections or
      // search.
      entries.append(
        Entry(
          versions: event.versions, clock: presenter.clock, name: "other sections or search",
          objects: "nothing"))
    } else {
      note(event.versions)
    }
    guard let last = entries.indices.last else { return }
    var changes = ChangeCounts()
    changes.add(event.changes)
    entries[last].changes = changes
    close(last)
  }

  /// Begins an entry, unless the last one is for these versions.
  ///
  /// A commit and its event are delivered one after the other. Their order depends on the order of
  /// the subscriptions.
  private func note(_ versions: ClosedRange<Int64>) {
    if entries.last?.versions == versions { return }
    entries.append(Entry(versions: versions, clock: presenter.clock, objects: ""))
    if entries.count > Self.mostEntries { entries.removeFirst(entries.count - Self.mostEntries) }
  }

  /// Records the cost of the result since the last entry.
  private func close(_ entry: Int) {
    let work = WorkCounts(presenter.departures.work)
    // Another query has another result, whose counters start at zero.
    if work.candidates < workBefore.candidates { workBefore = WorkCounts() }
    let earlier = entries[entry].work ?? WorkCounts()
    entries[entry].work = earlier + (work - workBefore)
    workBefore = work
  }

  private static func text(_ table: TableChanges) -> String {
    let inserted = table.all.count { $0.old == nil }
    let deleted = table.all.count { $0.new == nil }
    let parts = [
      ("+", inserted), ("~", table.count - inserted - deleted), ("-", deleted),
    ]
    return table.entity.name
      + parts.filter { $0.1 > 0 }.map { " \($0.0)\($0.1)" }.joined()
  }

  /// The content of a view, with the last commit first.
  var page: InspectorPage {
    let commits = entries.reversed().map { entry in
      InspectorPage.CommitLine(
        version: "\(entry.versions.upperBound)", clock: entry.clock,
        objects: (entry.name.map { "\($0): " } ?? "") + entry.objects,
        rows: entry.changes.map { "\($0.rows)" } ?? "none",
        sections: entry.changes.map { "\($0.sections)" } ?? "none",
        work: entry.work)
    }
    let results = presenter.store.liveResults.map { result in
      InspectorPage.ResultLine(
        title: "\(result.query.entity.name), \(Self.name(of: result.kind))", rows: result.rowCount,
        models: result.modelCount, work: WorkCounts(result.work))
    }
    return InspectorPage(
      commits: commits, results: results, subscriptions: presenter.subscriptionCount)
  }

  private static func name(of kind: LiveResultInfo.Kind) -> String {
    switch kind {
    case .rows: "all rows"
    case .nearRows: "the rows near windows"
    case .window: "a window"
    case .index: "an index"
    }
  }
}
