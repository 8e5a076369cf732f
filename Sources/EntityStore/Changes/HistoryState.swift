internal import Relays

/// The commits that a store remembers, and those that can be undone and redone.
struct HistoryState: Sendable {
  enum Kind: Sendable {
    case undo
    case redo
  }

  /// A commit that can be undone or redone.
  struct Step: Sendable {
    let entry: KeptHistory.Entry
    /// The commit, or nil if a storage has kept it since an earlier opening.
    let commit: Commit?

    var name: String { entry.name }
  }

  private(set) var limit = 0
  private(set) var commits = Fifo<Commit>()
  private(set) var undo = Fifo<Step>()
  private(set) var redo = Fifo<Step>()
  /// The step that the running commit makes, and the commit that it undoes or redoes.
  private var step: (kind: Kind, given: Step)?
  /// The lowest limit since a storage has kept a commit.
  private var lowestLimit = Int.max

  init(_ kept: KeptHistory? = nil) {
    guard let kept else { return }
    limit = kept.limit
    for entry in kept.undo { undo.append(Step(entry: entry, commit: nil)) }
    for entry in kept.redo { redo.append(Step(entry: entry, commit: nil)) }
  }

  /// Sets the limit, and returns the removed commits, to be freed after the lock.
  mutating func setLimit(_ limit: Int) -> [Commit] {
    self.limit = limit
    lowestLimit = min(lowestLimit, limit)
    var forgotten = commits.keep(limit)
    forgotten += undo.keep(limit).compactMap(\.commit)
    forgotten += redo.keep(limit).compactMap(\.commit)
    return forgotten
  }

  /// Removes everything, and returns it, to be freed after the lock.
  mutating func clear() -> [Commit] {
    let steps = undo.keep(0) + redo.keep(0)
    return commits.keep(0) + steps.compactMap(\.commit)
  }

  /// Removes the commits whose changes only the storage has had.
  mutating func forgetKept() {
    for step in undo.keep(0) where step.commit != nil { undo.append(step) }
    for step in redo.keep(0) where step.commit != nil { redo.append(step) }
  }

  // MARK: Steps

  /// The outcome of a commit.
  enum Outcome {
    case made(Commit)
    case unchanged
    case failed
  }

  /// Returns the commit to undo or redo, or nil; the running commit becomes this step.
  mutating func begin(_ kind: Kind) -> Step? {
    guard let given = kind == .undo ? undo.last : redo.last else { return nil }
    step = (kind, given)
    return given
  }

  /// Returns the changes that the running commit makes in the history that a storage keeps, or nil
  /// if it makes none.
  func update(named name: String?) -> HistoryUpdate? {
    // The storage has the commit that is undone even if the limit was lowered meanwhile.
    guard let name = step?.given.name ?? name else { return nil }
    return HistoryUpdate(
      name: name, isRedo: step?.kind == .undo, origin: step?.given.entry.origin,
      earlier: min(lowestLimit, limit), limit: limit)
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
    guard let ended = step.take() else { return end(outcome, nil) }
    var forgotten = end(outcome, ended.kind)
    // If the limit was lowered meanwhile, this may be the last reference to the commit.
    if let commit = ended.given.commit { forgotten.append(commit) }
    return forgotten
  }

  private mutating func end(_ outcome: Outcome, _ step: Kind?) -> [Commit] {
    let made: Commit
    switch outcome {
    case .failed: return []
    case .unchanged:
      // There was nothing left to restore.
      let given = step.flatMap { $0 == .undo ? undo.popLast() : redo.popLast() }
      return given?.commit.map { [$0] } ?? []
    case .made(let commit): made = commit
    }
    if step != nil || made.name != nil { lowestLimit = limit }
    guard limit > 0 else { return [] }
    commits.append(made)
    var forgotten = commits.keep(limit)
    switch step {
    case .undo:
      // There is none if the limit was lowered meanwhile.
      guard let given = undo.popLast() else { break }
      redo.append(given.followed(by: made))
      forgotten += (redo.keep(limit) + [given]).compactMap(\.commit)
    case .redo:
      guard let given = redo.popLast() else { break }
      undo.append(given.followed(by: made))
      forgotten += (undo.keep(limit) + [given]).compactMap(\.commit)
    case nil:
      guard let name = made.name else { break }
      undo.append(
        Step(entry: KeptHistory.Entry(name: name, origin: made.version), commit: made))
      forgotten += (undo.keep(limit) + redo.keep(0)).compactMap(\.commit)
    }
    return forgotten
  }
}

extension Fifo {
  /// The elements, the oldest first.
  var array: [Element] {
    var array: [Element] = []
    forEach { array.append($0) }
    return array
  }

  /// Removes all but the last `limit`, and returns the removed elements.
  mutating func keep(_ limit: Int) -> [Element] {
    var removed: [Element] = []
    while count > limit, let element = popFirst() { removed.append(element) }
    return removed
  }
}

extension HistoryState.Step {
  /// Returns the step for the commit that has undone or redone this one.
  fileprivate func followed(by made: Commit) -> HistoryState.Step {
    HistoryState.Step(
      entry: entry,
      commit: Commit(
        versions: made.versions, name: name, changes: made.changes, isExternal: made.isExternal,
        followsUnknown: made.followsUnknown))
  }
}
