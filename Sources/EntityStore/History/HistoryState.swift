/// The commits that a store remembers, and those that can be undone and done again.
struct HistoryState: Sendable {
  enum Kind: Sendable {
    case undo
    case redo
  }

  /// A list that forgets its oldest.
  struct Recent: Sendable {
    private var items: [Commit] = []
    private var start = 0

    var array: [Commit] { Array(items[start...]) }

    mutating func append(_ commit: Commit) { items.append(commit) }

    /// Forgets all but the last `count`, and gives what is forgotten now and then, for a later moment.
    mutating func keep(_ count: Int) -> [Commit] {
      start = max(start, items.count - count)
      guard start > 32, start > items.count / 2 || count == 0 else { return [] }
      return compact()
    }

    mutating func compact() -> [Commit] {
      let forgotten = Array(items[..<start])
      items.removeSubrange(..<start)
      start = 0
      return forgotten
    }
  }

  private(set) var limit = 0
  private(set) var commits = Recent()
  private(set) var undo: [Commit] = []
  private(set) var redo: [Commit] = []
  /// The step that the running commit is.
  private var step: Kind?

  /// Sets the limit, and gives what is forgotten, to be freed after the lock.
  mutating func setLimit(_ limit: Int) -> [Commit] {
    self.limit = limit
    var forgotten = commits.keep(limit) + commits.compact()
    forgotten += Self.shorten(&undo, to: limit)
    forgotten += Self.shorten(&redo, to: limit)
    return forgotten
  }

  private static func shorten(_ commits: inout [Commit], to count: Int) -> [Commit] {
    let excess = max(0, commits.count - count)
    let forgotten = Array(commits[..<excess])
    commits.removeSubrange(..<excess)
    return forgotten
  }

  // MARK: Steps

  /// What has become of a commit.
  enum Outcome {
    case made(Commit)
    case unchanged
    case failed
  }

  /// The commit to give back, if there is one; what the running commit makes is a step.
  mutating func begin(_ kind: Kind) -> Commit? {
    guard let commit = kind == .undo ? undo.last : redo.last else { return nil }
    step = kind
    return commit
  }

  /// The running commit has ended.
  ///
  /// - Returns: what is forgotten, to be freed after the lock.
  mutating func end(_ outcome: Outcome) -> [Commit] {
    let step = step
    self.step = nil
    let made: Commit
    switch outcome {
    case .failed: return []
    case .unchanged:
      // There was nothing left to give back.
      return step.map { [$0 == .undo ? undo.removeLast() : redo.removeLast()] } ?? []
    case .made(let commit): made = commit
    }
    guard limit > 0 else { return [] }
    commits.append(made)
    var forgotten = commits.keep(limit)
    switch step {
    case .undo:
      let given = undo.removeLast()
      redo.append(made.named(given.name))
      forgotten.append(given)
    case .redo:
      let given = redo.removeLast()
      undo.append(made.named(given.name))
      forgotten.append(given)
    case nil:
      guard made.name != nil else { break }
      undo.append(made)
      forgotten += Self.shorten(&undo, to: limit) + redo
      redo = []
    }
    return forgotten
  }
}

extension Commit {
  fileprivate func named(_ name: String?) -> Commit {
    Commit(version: version, name: name, changes: changes, followsUnknown: followsUnknown)
  }
}
