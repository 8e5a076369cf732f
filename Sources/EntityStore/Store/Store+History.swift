internal import Locking
internal import Relays

extension Store {
  /// The last commits, oldest first, at most `historyLimit` of them.
  ///
  ///     for commit in store.history { try other.replay(commit) }
  ///
  /// External commits that aren't complete (``Commit/isComplete``) are left out.
  ///
  /// - Complexity: O(*n*), where *n* is the limit.
  public var history: [Commit] { historyState.withLock { $0.commits.array } }

  /// The number of last commits to keep in memory, with the objects that they changed.
  ///
  /// It is 0 at first, or the `historyLimit` with which a file was opened.
  ///
  /// At most this many commits can be undone. A lower limit removes the oldest ones. A file that
  /// keeps them removes them with the next commit that has a name.
  ///
  /// - Precondition: it isn't negative.
  public var historyLimit: Int {
    get { historyState.withLock { $0.limit } }
    set {
      mustHold(newValue >= 0, "A history of \(newValue) commits; use 0 or more")
      if newValue > 0 { hasHistory.store(1) }
      // The removed commits are freed after the lock.
      _ = historyState.withLock { $0.setLimit(newValue) }
    }
  }

  /// Clears the history, and all commits that can be undone and redone.
  ///
  ///     do { try store.undo() } catch StoreError.changedSince { try store.clearHistory() }
  ///
  /// Use it if changes made since forbid an undo, or to start again after an import. Further
  /// commits are kept as before.
  ///
  /// If a file keeps the history, it is cleared there as well. Then the method blocks while a
  /// commit runs on another thread.
  ///
  /// - Throws: ``StoreError`` if a file keeps the history and can't be written. Then the history
  ///   is as it was, except after ``StoreError/outcomeUnknown(version:fault:)``. Without such a
  ///   file it throws nothing.
  /// - Precondition: if a file keeps the history, it isn't called in the body of a commit.
  public func clearHistory() throws {
    if let historyStorage {
      try betweenCommits("clearHistory()") { _ in
        try historyStorage.clearKeptHistory()
        ReleasePool.add(historyState.withLock { $0.clear() })
      }
    } else {
      // The removed commits are freed after the lock.
      _ = historyState.withLock { $0.clear() }
    }
  }

  /// The names of the commits that can be undone; the last one is undone next.
  ///
  /// These are the commits of this store that were given a name. If the file keeps its history,
  /// those that were made before it was opened are among them.
  public var undoNames: [String] { historyState.withLock { $0.undo.array.map(\.name) } }

  /// The names of the commits that can be redone; the last one is redone next.
  ///
  /// A new commit with a name removes them.
  public var redoNames: [String] { historyState.withLock { $0.redo.array.map(\.name) } }

  /// Undoes the last commit with a name, by a commit that restores what it changed.
  ///
  ///     store.historyLimit = 100
  ///     try store.commit(named: "Rename") { try $0.update(Car.self, 7) { $0.model = "Beetle" } }
  ///     try store.undo()
  ///
  /// While ``Store/historyLimit`` is 0, as it is at first, no commit is kept and nothing can be
  /// undone. Attributes that the commit didn't change stay as they are now. The undo is a separate
  /// commit. Like ``Store/commit(named:_:)``, it blocks while another commit runs.
  ///
  /// - Returns: the name, or nil if there is nothing to undo, or if the commit was kept in the file
  ///   and another store has removed it there.
  /// - Throws: ``StoreError/changedSince(_:attribute:expected:found:)``, `.notFound` or
  ///   `.alreadyExists` if an object isn't as the commit left it, the error of a rule that the undo
  ///   would break, or that of reading a kept commit. Then nothing has changed, and the commit can
  ///   still be undone.
  /// - Precondition: it isn't called in the body of a commit of this store.
  @discardableResult
  public func undo() throws -> String? { try step(.undo).name }

  /// Redoes the last commit that was undone.
  ///
  /// It blocks while another commit runs.
  ///
  /// - Returns: the name, or nil if there is nothing to redo.
  /// - Throws: the same errors as `undo`.
  /// - Precondition: it isn't called in the body of a commit of this store.
  @discardableResult
  public func redo() throws -> String? { try step(.redo).name }

  /// The outcome of an undo or a redo.
  package enum StepOutcome: Sendable {
    case done(name: String, version: Int64)
    /// There was nothing to undo or redo.
    case nothing
    /// Another commit than the caller's is the next one; nothing has changed.
    case isBehind

    fileprivate var name: String? { if case .done(let name, _) = self { name } else { nil } }
  }

  /// Undoes the commit that was first made as the version `origin`, if it is the next one.
  package func undo(of origin: Int64) throws -> StepOutcome { try step(.undo, of: origin) }

  /// Redoes the commit that was first made as the version `origin`, if it is the next one.
  package func redo(of origin: Int64) throws -> StepOutcome { try step(.redo, of: origin) }

  private func step(_ kind: HistoryState.Kind, of origin: Int64? = nil) throws -> StepOutcome {
    mustHold(
      !writer.isHeldHere, "Undo is a commit of its own; call it outside the body of another one")
    var name: String?
    var isBehind = false
    let version = try commitReturningVersion { draft in
      // The body may run again.
      name = nil
      // This happens inside the commit, so that no other one comes in between.
      let last = historyState.withLock { (kind == .undo ? $0.undo : $0.redo).last?.entry.origin }
      isBehind = origin != nil && last != nil && last != origin
      if isBehind { return }
      guard let step = historyState.withLock({ $0.begin(kind) }) else { return }
      // If another store has removed it, nothing is changed, which removes it here, too.
      guard let commit = try step.commit ?? keptCommit(step.entry, kind) else { return }
      name = step.name
      try draft.revert(commit)
    }
    if isBehind { return .isBehind }
    return name.map { .done(name: $0, version: version ?? 0) } ?? .nothing
  }

  /// Returns a commit that the storage has kept, or nil if another store has removed it.
  private func keptCommit(
    _ entry: KeptHistory.Entry, _ kind: HistoryState.Kind
  ) throws -> Commit? {
    try historyStorage?.keptChanges(of: entry, isRedo: kind == .redo).map {
      Commit(versions: entry.origin...entry.origin, name: entry.name, changes: $0)
    }
  }

  /// Removes the commits whose changes only the file has had, which don't exist there any more.
  package func forgetKeptHistory() { historyState.withLock { $0.forgetKept() } }

  /// The commits that can be undone, and the version of the newest one since the store was opened,
  /// or 0.
  package var undoState: (entries: [KeptHistory.Entry], version: Int64) {
    let steps = historyState.withLock { $0.undo.array }
    return (steps.map(\.entry), steps.compactMap(\.commit?.version).max() ?? 0)
  }

  /// Makes the changes of another store's commit in this store.
  ///
  /// It blocks while a commit runs on another thread. If you must not block, call
  /// ``Draft/apply(_:)`` in the body of ``Store/commitAsync(named:_:)``.
  ///
  /// - Throws: the same errors as ``Draft/apply(_:)``.
  public func replay(_ commit: Commit) throws {
    try self.commit(named: commit.name) { try $0.apply(commit) }
  }
}

extension Draft {
  /// Makes the changes of a commit, in its own store or in another one with the same entities.
  ///
  /// Attributes that the commit didn't change stay as they are.
  ///
  /// - Throws: ``StoreError/changedSince(_:attribute:expected:found:)``, `.notFound` or
  ///   `.alreadyExists` if an object isn't as the commit found it, or ``StoreError/storage(_:)`` if
  ///   the commit is external and not all of its changes are known (``Commit/isComplete`` is
  ///   false). Then nothing has been written.
  public func apply(_ commit: Commit) throws {
    try core.savepoint {
      try commit.checkIsComplete()
      for change in commit.sortedChanges { try core.make(change.old, change.new) }
    }
  }

  /// Restores what a commit changed.
  ///
  /// Attributes that the commit didn't change stay as they are.
  ///
  /// - Throws: ``StoreError/changedSince(_:attribute:expected:found:)``, `.notFound` or
  ///   `.alreadyExists` if an object isn't as the commit left it, or ``StoreError/storage(_:)`` if
  ///   the commit is external and not all of its changes are known (``Commit/isComplete`` is
  ///   false). Then nothing has been written.
  public func revert(_ commit: Commit) throws {
    try core.savepoint {
      try commit.checkIsComplete()
      for change in commit.sortedChanges { try core.make(change.new, change.old) }
    }
  }
}

extension Commit {
  /// Throws an error unless all changes of the commit are known.
  ///
  /// A store knows all changes of its own commits, even if the storage has skipped a version.
  fileprivate func checkIsComplete() throws {
    if isComplete || !isExternal { return }
    throw StoreError.fault(
      .other,
      "The changes of \(versions.versionWords) aren't all known, and can't be applied or reverted: the change "
        + "log no longer has them, or they are too many or too large to be read; fetch the objects as "
        + "they are now, and write those")
  }

  /// The changes in the order of the entities' names, then of ids.
  fileprivate var sortedChanges: [ObjectChange] {
    changes.sortedTables.flatMap(\.sorted)
  }
}

extension DraftCore {
  /// Changes an object from `old` to `new`; attributes that differ must have their old values.
  fileprivate func make(_ old: EntityRow?, _ new: EntityRow?) throws {
    guard let some = old ?? new else { return }
    let found = try row(of: some.entity, id: some.id)
    switch (old, new, found) {
    case (nil, let new?, nil): try insert(new, replacing: false)
    case (nil, _, let found?): throw StoreError.alreadyExists(found.objectID)
    case (let old?, _, nil): throw StoreError.notFound(old.objectID)
    case (let old?, let new, let found?):
      let columns = new.map { $0.changedColumns(from: old) } ?? Array(old.entity.columns.indices)
      var values = found.values
      for column in columns {
        let expected = old.value(at: column)
        guard values[column] == expected else {
          throw StoreError.changedSince(
            old.objectID, attribute: old.entity.columns[column].name, expected: expected,
            found: values[column])
        }
        if let new { values[column] = new.value(at: column) }
      }
      if new == nil {
        try delete(old.entity, id: old.id)
      } else {
        try update(old.entity.row(values))
      }
    case (nil, nil, nil): break
    }
  }
}
