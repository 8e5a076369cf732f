internal import EntityStore
internal import ListDiffing
internal import Locking
internal import Relays

/// A shown result, and what is known to have happened to it since.
final class IndexAhead: Sendable {
  let shown: IndexSnapshot
  /// Nil if nothing has.
  let step: IndexStep?
  /// What has happened, as far as it is known, by the ids of objects.
  let candidates: [StoredValue: IndexCandidate]
  /// The objects of rows that are shown and may have another number by now.
  let idsByPath: [ListPath: StoredValue]
  /// Where all other rows are now, if they have other numbers.
  private let nowAt: UntouchedPaths?

  init(shown: IndexSnapshot, step: IndexStep?) {
    self.shown = shown
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

  /// The number under which the row at a path that is shown is read, if it isn't read by its id.
  func number(at path: ListPath) -> Int64 {
    guard let nowAt, let step, let now = nowAt[path], step.after.contains(now) else {
      return shown.number(at: path)
    }
    return step.after.number(at: now)
  }

  /// The number that the row at a path has in a result in which all rows that aren't known to be touched have
  /// kept their order; nil if there is none.
  func number(at path: ListPath, in whole: IndexSnapshot) -> Int64? {
    let now = step.map { $0.untouchedPaths[path] } ?? path
    guard let now, whole.contains(now) else { return nil }
    return whole.number(at: now)
  }

  /// Where a row is shown that isn't among the candidates and stands at a path of the newest result.
  func shownPath(ofPathNow path: ListPath) -> ListPath? {
    guard let step, let candidates = step.candidates else { return path }
    let back = UntouchedPaths(
      from: step.after, touched: candidates.compactMap(\.new?.path),
      to: step.before, touched: candidates.compactMap(\.old?.path))
    return back[path]
  }

  /// Whether nothing is known of a part of what has happened, but for the objects that are in
  /// `renumbered`.
  var isUnknown: Bool { step.map { $0.candidates == nil } ?? false }

  var renumbered: Renumbered { step?.renumbered ?? Renumbered() }

  /// The rows that are shown and may have another content by now, by their numbers.
  var touchedRows: [(Int64, ResultRow)] {
    candidates.values.compactMap { candidate in
      candidate.old.map { (shown.number(at: $0.path), $0.row) }
    }
  }
}
