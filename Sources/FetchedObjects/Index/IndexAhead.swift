internal import EntityStore
internal import ListDiffing
internal import Locking
internal import Relays

/// A shown result, and the known changes to it since.
///
/// All paths are those of the whole result, also if the model shows a window.
final class IndexAhead: Sendable {
  /// The part of the result that the model shows.
  let view: IndexView
  /// The step from the shown result to the newest one, or nil if nothing has changed.
  let step: IndexStep?
  /// The known changes, by the ids of the objects.
  let candidates: [StoredValue: IndexCandidate]
  /// The ids of the objects whose rows are shown and may have another number by now.
  let idsByPath: [ListPath: StoredValue]
  /// The current paths of all other rows, if those have other numbers.
  private let nowAt: UntouchedPaths?

  init(view: IndexView, step: IndexStep?) {
    self.view = view
    self.step = step
    var candidates: [StoredValue: IndexCandidate] = [:]
    var ids: [ListPath: StoredValue] = [:]
    for candidate in step?.candidates ?? [] {
      candidates[candidate.id] = candidate
      if let path = candidate.old?.path { ids[path] = candidate.id }
    }
    self.candidates = candidates
    idsByPath = ids
    nowAt = step.flatMap { $0.candidates == nil || $0.keepsNumbers ? nil : $0.untouchedPaths }
  }

  /// The whole result, whose paths are used here.
  var shown: IndexSnapshot { view.index }

  /// Returns the number by which the row at a shown path is read, unless it is read by its id.
  func number(at path: ListPath) -> Int64 {
    guard let nowAt, let step, let now = nowAt[path], step.after.contains(now) else {
      return shown.number(at: path)
    }
    return step.after.number(at: now)
  }

  /// Returns the number of the row at a shown path in another result, or nil if there is none.
  ///
  /// In that result, all rows that aren't known to be touched have kept their order.
  func number(at path: ListPath, in whole: IndexSnapshot) -> Int64? {
    let now = step.map { $0.untouchedPaths[path] } ?? path
    guard let now, whole.contains(now) else { return nil }
    return whole.number(at: now)
  }

  /// Returns the path at which a row is shown, given its path in the newest result.
  ///
  /// The row isn't a candidate.
  func shownPath(ofPathNow path: ListPath) -> ListPath? {
    guard let step, let candidates = step.candidates else { return path }
    let back = UntouchedPaths(
      from: step.after, touched: candidates.compactMap(\.new?.path),
      to: step.before, touched: candidates.compactMap(\.old?.path))
    return back[path]
  }

  /// True if a part of the changes isn't known, except for the objects in `renumbered`.
  var isUnknown: Bool { step.map { $0.candidates == nil } ?? false }

  var renumbered: Renumbered { step?.renumbered ?? Renumbered() }

  /// The shown rows whose content may have changed, with their numbers.
  var touchedRows: [(Int64, ResultRow)] {
    candidates.values.compactMap { candidate in
      candidate.old.map { (shown.number(at: $0.path), $0.row) }
    }
  }
}
