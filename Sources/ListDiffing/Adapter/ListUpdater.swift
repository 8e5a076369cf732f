/// A function that finds the changes between two lists.
///
/// Rows with the given identifiers count as changed.
@usableFromInline
typealias _ListDifference<Header: Diffable, Row: Diffable> = (
  _ old: [ListSection<Header, Row>], _ new: [ListSection<Header, Row>],
  _ reloaded: Set<Row.DiffIdentifier>
) -> ListChanges

/// The function is compiled for the types of the list where the adapter is created.
@inlinable
func _difference<Header: Diffable, Row: Diffable>() -> _ListDifference<Header, Row> {
  { old, new, reloaded in
    ListChanges(
      from: old, to: new, sectionsIdentifiedBy: { $0.diffIdentifier },
      rowsIdentifiedBy: { $0.diffIdentifier }, isHeaderEqual: { $0.isContentEqual(to: $1) },
      isContentEqual: { old, new in
        old.isContentEqual(to: new) && (reloaded.isEmpty || !reloaded.contains(new.diffIdentifier))
      })
  }
}

/// The part of an adapter that doesn't know where its sections come from.
///
/// It gathers requests and turns them into updates of the host, one after the other.
@MainActor
final class ListUpdater<Header: Diffable, Row: Diffable> {
  typealias List = [ListSection<Header, Row>]
  typealias Request = ListUpdateRequest<Row.DiffIdentifier>

  private(set) var shown: List

  /// A closure that returns the list to show, or nil if there is no data source.
  var fresh: () -> List? = { nil }

  weak var host: (any ListUpdating)? {
    didSet { if host !== oldValue { isHostNew = true } }
  }

  var reloadLimit: Int?
  var style: ListPresentation.Style?

  private let difference: _ListDifference<Header, Row>
  private var isHostNew = true
  private var pending = Request()
  private var isScheduled = false
  private var isUpdating = false

  init(
    shown: List, host: (any ListUpdating)?, reloadLimit: Int?,
    difference: @escaping _ListDifference<Header, Row>
  ) {
    self.shown = shown
    self.host = host
    self.reloadLimit = reloadLimit
    self.difference = difference
  }

  func request(
    animated: Bool = true, reloading: Request.Reload = .rows([]), completion: ((Bool) -> Void)?
  ) {
    pending.add(animated: animated, reloading: reloading, completion: completion)
    schedule()
  }

  private func schedule() {
    guard !isScheduled, !isUpdating else { return }
    isScheduled = true
    // The task holds the updater until then, so that every completion is called.
    Task { @MainActor in
      isScheduled = false
      performPending()
    }
  }

  func performPending() {
    guard !isUpdating, !pending.isEmpty else { return }
    isUpdating = true
    let request = pending
    pending = Request()
    let completions = ListUpdateCompletions(request.completions)
    update(request, completions)
    isUpdating = false
    completions.finish()
    if !pending.isEmpty { schedule() }
  }

  private func update(_ request: Request, _ completions: ListUpdateCompletions) {
    // The data source may set another host while it is asked.
    guard host != nil, let new = fresh(), let host else {
      completions.fail()
      return
    }
    let old = shown
    guard
      !isHostNew, host.isListShown, let reloaded = request.reload.rows,
      host.shownRowCounts.map({ $0 == old.map(\.rows.count) }) ?? true,
      case let changes = difference(old, new, reloaded),
      changes.count <= reloadLimit ?? .max
    else {
      isHostNew = false
      shown = new
      host.reloadData()
      return
    }
    let shown = ListPresentation(
      of: changes, sectionCount: old.count, style: style ?? host.listUpdateStyle,
      isMovedRowChanged: { row in
        let (before, after) = (old[row.old], new[row.new])
        return reloaded.contains(after.diffIdentifier) || !before.isContentEqual(to: after)
      },
      isMovedHeaderChanged: { !old[$0.old].header.isContentEqual(to: new[$0.new].header) })
    carryOut(shown, on: host, from: old, to: new, request.isAnimated, completions)
  }

  private func carryOut(
    _ presentation: ListPresentation, on host: any ListUpdating, from old: List, to new: List,
    _ isAnimated: Bool, _ completions: ListUpdateCompletions
  ) {
    for (pass, list) in zip(presentation.passes, presentation.lists(from: old, to: new)) {
      host.carryOut(
        pass, animated: isAnimated, updateData: { self.shown = list },
        completion: completions.next())
    }
    shown = new
    host.reloadWhatChanged(in: presentation, animated: isAnimated)
  }
}
