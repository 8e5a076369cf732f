internal import ListDiffing

extension ListChanges {
  /// Creates the changes of a step, as `listChanges(from:to:touching:)` does.
  ///
  /// If all rows may differ, rows with the same number are the same row. It counts as changed,
  /// unless the step keeps contents.
  ///
  /// - Complexity: O((*k* + *c*) log *n*), where *k* is the number of candidates, *c* that of rows
  ///   that cross an edge of a window, and *n* that of all rows.
  init(_ step: IndexStep, from before: IndexView, to after: IndexView) {
    var work = ChangeWork(before: before, after: after)
    if let candidates = step.candidates {
      for candidate in candidates {
        // An unchanged row keeps its position among the unchanged rows, so it isn't a candidate.
        let old = candidate.old.flatMap { before.shownPath(of: $0.path) }
        let new = candidate.new.flatMap { after.shownPath(of: $0.path) }
        if old != nil, new != nil, let old = candidate.old, let new = candidate.new,
          !new.row.differs(from: old.row)
        {
          continue
        }
        work.touch(old, new, differs: true)
      }
      if before.window != nil || after.window != nil {
        work.touchCrossings(candidates)
      }
    } else {
      let paths = step.oldAndNewPaths
      let news = Set(paths.values)
      let differs = !step.keepsContents
      step.before.forEachNumber { path, _ in
        let new = paths[path]
        work.touch(
          before.shownPath(of: path), new.flatMap { after.shownPath(of: $0) },
          differs: differs || new == nil)
      }
      step.after.forEachNumber { path, _ in
        if !news.contains(path) { work.touch(nil, after.shownPath(of: path), differs: true) }
      }
    }
    self = work.result()
  }
}

extension ChangeWork<IndexView> {
  /// Touches the rows that aren't candidates and enter or leave a window.
  fileprivate mutating func touchCrossings(_ candidates: [IndexCandidate]) {
    let crossings = WindowCrossings(
      from: before.positions,
      touched: candidates.compactMap { $0.old.map { before.index.position(of: $0.path) } },
      to: after.positions,
      touched: candidates.compactMap { $0.new.map { after.index.position(of: $0.path) } })
    for position in crossings.leaving {
      touch(before.shownPath(of: before.index.path(ofPosition: position)), nil, differs: true)
    }
    for position in crossings.entering {
      touch(nil, after.shownPath(of: after.index.path(ofPosition: position)), differs: true)
    }
  }
}
