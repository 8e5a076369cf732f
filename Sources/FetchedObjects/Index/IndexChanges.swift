internal import EntityStore
internal import ListDiffing

extension ListChanges {
  /// The changes that a step makes: those of `listChanges(from:to:touching:)`.
  ///
  /// Where all rows may differ, one with the same number counts as the same and as changed.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of candidates and *n* of rows.
  init(_ step: IndexStep) {
    var work = ChangeWork(before: step.before, after: step.after)
    if let candidates = step.candidates {
      for candidate in candidates {
        // What is as it was keeps its place among others that are, so it is no candidate.
        if let old = candidate.old, let new = candidate.new, !new.row.differs(from: old.row) {
          continue
        }
        work.touch(candidate.old?.path, candidate.new?.path, differs: true)
      }
    } else {
      let paths = step.oldAndNewPaths
      let news = Set(paths.values)
      step.before.forEachNumber { path, _ in work.touch(path, paths[path], differs: true) }
      step.after.forEachNumber { path, _ in
        if !news.contains(path) { work.touch(nil, path, differs: true) }
      }
    }
    self = work.result()
  }
}
