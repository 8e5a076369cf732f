internal import EntityStore
internal import ListDiffing

/// Returns the changes that lead from one snapshot to another.
///
/// Only the rows of `candidates` may differ; if it is nil, all rows may.
///
/// A candidate that is equal and need not move causes no change (F2, F3). A row that goes to
/// another section is a move (F4). Within a section, only candidates move. A candidate may stay if
/// the number of untouched survivors before it hasn't changed. Of the candidates that may stay, the
/// longest subsequence in old order stays. Sections follow the same rule among themselves.
///
/// - Complexity: O(*k* log *n*), where *k* is the number of candidates and *n* of rows.
func listChanges(
  from before: ResultView, to after: ResultView, touching candidates: [StoredValue]?
) -> ListChanges {
  guard let candidates, before.plan === after.plan else {
    var work = ChangeWork(before: before, after: after)
    work.touchAll()
    return work.result()
  }
  if before.window != nil || after.window != nil {
    let all = Set(candidates)
    return changes(from: before, to: after, all.union(crossings(from: before, to: after, all)))
  }
  return changes(from: before, to: after, candidates)
}

/// Returns the ids of the objects that may differ between two lists, or of which only one shows a
/// row, each once.
///
/// - Complexity: O(*d* log *n*), where *d* is the number of row versions that aren't shared.
func touchedObjects(from before: ResultView, to after: ResultView) -> Set<StoredValue> {
  var ids: Set<StoredValue> = []
  guard before.plan === after.plan else {
    for view in [before, after] { view.forEach { ids.insert($0.id) } }
    return ids
  }
  ids.formUnion(after.base.table.touched(since: before.base.table))
  if before.window != nil || after.window != nil {
    ids.formUnion(crossings(from: before, to: after, ids))
  }
  return ids
}

/// Returns the changes between two results of one query.
private func changes(
  from before: ResultView, to after: ResultView, _ candidates: some Collection<StoredValue>
) -> ListChanges {
  var work = ChangeWork(before: before, after: after)
  for id in candidates {
    let (old, new) = (before.row(id), after.row(id))
    // An unchanged row keeps its place among other unchanged rows, so it is no candidate.
    if let old, let new, !new.differs(from: old) { continue }
    let oldPath = old.flatMap { before.path(of: $0) }
    let newPath = new.flatMap { after.path(of: $0) }
    if candidates.count == 1,
      let changes = ListChanges(ofOne: oldPath, newPath, from: before, to: after)
    {
      return changes
    }
    work.touch(oldPath, newPath, differs: true)
  }
  return work.result()
}

/// Returns the ids of untouched rows that enter or leave a window.
///
/// These rows keep their order. So those that cross an edge stand together at that edge.
///
/// - Complexity: O((*m* + *k*) log *n*) for *m* rows that cross an edge and *k* that are touched.
private func crossings(
  from before: ResultView, to after: ResultView, _ touched: Set<StoredValue>
) -> [StoredValue] {
  var crossing: [StoredValue] = []
  func walk(_ view: ResultView, _ positions: some Sequence<Int>, isIn other: ResultView) {
    for position in positions {
      let id = view.row(position).id
      if touched.contains(id) { continue }
      if other.row(id) != nil { return }
      crossing.append(id)
    }
  }
  for (view, other) in [(before, after), (after, before)] {
    let start = crossing.count
    walk(view, 0..<view.count, isIn: other)
    if crossing.count - start < view.count {
      walk(view, (0..<view.count).reversed(), isIn: other)
    }
  }
  return crossing
}
