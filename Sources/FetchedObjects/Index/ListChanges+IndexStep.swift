internal import EntityStore
internal import ListDiffing

extension ListChanges {
  /// Creates the changes of a step, as `listChanges(from:to:touching:)` does.
  ///
  /// If all rows may differ, rows with the same number are the same row. It counts as changed,
  /// unless the step keeps contents.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of candidates and *n* of rows.
  init(_ step: IndexStep) {
    var work = ChangeWork(before: step.before, after: step.after)
    if let candidates = step.candidates {
      for candidate in candidates {
        // An unchanged row keeps its position among the unchanged rows, so it isn't a candidate.
        if let old = candidate.old, let new = candidate.new, !new.row.differs(from: old.row) {
          continue
        }
        work.touch(candidate.old?.path, candidate.new?.path, differs: true)
      }
    } else {
      let paths = step.oldAndNewPaths
      let news = Set(paths.values)
      let differs = !step.keepsContents
      step.before.forEachNumber { path, _ in
        work.touch(path, paths[path], differs: differs || paths[path] == nil)
      }
      step.after.forEachNumber { path, _ in
        if !news.contains(path) { work.touch(nil, path, differs: true) }
      }
    }
    self = work.result()
  }
}
