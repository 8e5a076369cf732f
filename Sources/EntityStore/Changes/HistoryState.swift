/// The commits that a store remembers, and those that can be undone and redone.
struct HistoryState: Sendable {
  enum Kind: Sendable {
    case undo
    case redo
  }

  /// A list that removes its oldest commits.
  struct Recent: Sendable {
    /// The remembered commits, after places that are empty.
    private var items: [Commit?] = []
    private var start = 0

    var array: [Commit] { items[start...].compactMap { $0 } }

    mutating func append(_ commit: Commit) { items.append(commit) }

    /// Removes all but the last `count`, and returns the removed commits.
    mutating func keep(_ count: Int) -> [Commit] {
      var forgotten: [Commit] = []
      while start < items.count - count {
        if let commit = items[start].take() { forgotten.append(commit) }
        start += 1
      }
      // The empty places are removed now and then. So a commit costs the same, however many are
      // kept.
      if start > 32 && start > items.count / 2 {
        items.removeSubrange(..<start)
        start = 0
      }
      return forgotten
    }
  }

  private(set) var limit = 0
  private(set) var commits = Recent()
  private(set) var undo: [Commit] = []
  private(set) var redo: [Commit] = []
  /// The step that the running commit makes.
  private var step: Kind?

  /// Creates a history that begins with what a storage has kept.
  init(_ kept: KeptHistory? = nil) {
    guard let kept else { return }
    limit = kept.limit
    undo = kept.undo.map { Commit(version: $0.version, name: $0.name, changes: $0.changes) }
    redo = kept.redo.map { Commit(version: $0.version, name: $0.name, changes: $0.changes) }
  }

  /// Sets the limit, and returns the removed commits, to be freed after the lock.
  mutating func setLimit(_ limit: Int) -> [Commit] {
    self.limit = limit
    var forgotten = commits.keep(limit)
    forgotten += Self.shorten(&undo, to: limit)
    forgotten += Self.shorten(&redo, to: limit)
    return forgotten
  }

  /// Removes everything, and returns it, to be freed after the lock.
  mutating func clear() -> [Commit] {
    let forgotten = commits.keep(0) + undo + redo
    (undo, redo) = ([], [])
    return forgotten
  }

  private static func shorten(_ commits: inout [Commit], to count: Int) -> [Commit] {
    let excess = max(0, commits.count - count)
    let forgotten = Array(commits[..<excess])
    commits.removeSubrange(..<excess)
    return forgotten
  }

  // MARK: Steps

  /// The outcome of a commit.
  enum Outcome {
    case made(Commit)
    case unchanged
    case failed
  }

  /// Returns the commit to undo or redo, or nil; the running commit becomes this step.
  mutating func begin(_ kind: Kind) -> Commit? {
    guard let commit = kind == .undo ? undo.last : redo.last else { return nil }
    step = kind
    return commit
  }

  /// Returns the changes that the running commit makes in the history that a storage keeps, or nil
  /// if it makes none.
  ///
  /// - Parameter name: the name of the running commit.
  /// - Returns: the changes.
  func update(named name: String?) -> HistoryUpdate? {
    // There is none if the limit was lowered meanwhile.
    let given = step == .undo ? undo.last : step == .redo ? redo.last : nil
    guard limit > 0, let name = step == nil ? name : given.map({ $0.name ?? "" }) else {
      return nil
    }
    return HistoryUpdate(
      name: name, isRedo: step == .undo, replaced: given?.version, limit: limit)
  }

  /// Remembers an external commit, which can't be undone here.
  ///
  /// - Returns: the removed commits, to be freed after the lock.
  mutating func merge(_ commit: Commit) -> [Commit] {
    guard limit > 0, commit.isComplete else { return [] }
    commits.append(commit)
    return commits.keep(limit)
  }

  /// Records the outcome of the running commit.
  ///
  /// - Returns: the removed commits, to be freed after the lock.
  mutating func end(_ outcome: Outcome) -> [Commit] {
    let step = step
    self.step = nil
    let made: Commit
    switch outcome {
    case .failed: return []
    case .unchanged:
      // There was nothing left to restore.
      return step.flatMap { $0 == .undo ? undo.popLast() : redo.popLast() }.map { [$0] } ?? []
    case .made(let commit): made = commit
    }
    guard limit > 0 else { return [] }
    commits.append(made)
    var forgotten = commits.keep(limit)
    switch step {
    case .undo:
      // There is none if the limit was lowered meanwhile.
      guard let given = undo.popLast() else { break }
      redo.append(made.named(given.name))
      forgotten += Self.shorten(&redo, to: limit) + [given]
    case .redo:
      guard let given = redo.popLast() else { break }
      undo.append(made.named(given.name))
      forgotten += Self.shorten(&undo, to: limit) + [given]
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
    Commit(
      versions: versions, name: name, changes: changes, isExternal: isExternal,
      followsUnknown: followsUnknown)
  }
}
