internal import EntityStore
internal import ListDiffing

/// A shown result, and the known changes to it since.
///
/// All paths here are those of the whole index. If the model shows a window, its paths are others:
/// ``WindowedResult/wholePath(of:)``.
final class IndexAhead: Sendable {
  /// The part of the result that the model shows.
  let view: IndexView
  /// The step from the shown result to the newest one, or nil if nothing has changed.
  let step: IndexStep?
  /// The known changes, by the ids of the objects.
  let candidates: [StoredValue: IndexCandidate]
  /// The ids of the objects whose rows in the shown index may have another number by now.
  let idsByPath: [ListPath: StoredValue]
  /// The current paths of all other rows, if those have other numbers.
  private let nowAt: UntouchedPaths?
  /// The objects that have a new number since another query waits to be shown.
  var watch: NumberWatch? { step?.watch }

  init(view: IndexView, step: IndexStep?) {
    self.view = view
    self.step = step
    var candidates: [StoredValue: IndexCandidate] = [:]
    for candidate in step?.candidates ?? [] { candidates[candidate.id] = candidate }
    self.candidates = candidates
    idsByPath = step?.oldIDs ?? [:]
    nowAt = step.flatMap { $0.candidates == nil || $0.keepsNumbers ? nil : $0.untouchedPaths }
  }

  /// The whole index, whether or not the model shows all of it.
  var whole: IndexSnapshot { view.index }

  /// Returns the number by which the row at a path is read, unless it is read by its id.
  func number(at path: ListPath) -> Int64 {
    guard let nowAt, let step, let now = nowAt[path], step.after.contains(now) else {
      return whole.number(at: path)
    }
    return step.after.number(at: now)
  }

  /// Returns the number in another result of the row at a path, or nil if there is none.
  ///
  /// In that result, all rows that aren't known to be touched have kept their order.
  func number(at path: ListPath, in other: IndexSnapshot) -> Int64? {
    let now = step.map { $0.untouchedPaths[path] } ?? path
    guard let now, other.contains(now) else { return nil }
    return other.number(at: now)
  }

  /// Returns the path of a row in the shown index, given its path in the newest one.
  ///
  /// The row isn't a candidate.
  func oldPath(ofPathNow path: ListPath) -> ListPath? {
    guard let step, let candidates = step.candidates else { return path }
    let back = UntouchedPaths(
      from: step.after, touched: candidates.compactMap(\.new?.path),
      to: step.before, touched: candidates.compactMap(\.old?.path))
    return back[path]
  }

  /// True if a part of the changes isn't known, except for the objects in `renumbered`.
  var isUnknown: Bool { step.map { $0.candidates == nil } ?? false }

  var renumbered: Renumbered { step?.renumbered ?? Renumbered() }

  /// The rows of the shown index whose content may have changed, with their numbers.
  var touchedRows: [(Int64, ResultRow)] {
    candidates.values.compactMap { candidate in
      candidate.old.map { (whole.number(at: $0.path), $0.row) }
    }
  }
}
