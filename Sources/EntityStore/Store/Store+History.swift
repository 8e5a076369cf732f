internal import Locking

extension Store {
  /// The last commits, oldest first: as many as `historyLimit`.
  ///
  ///     for commit in store.history { try other.replay(commit) }
  ///
  /// Commits of others that aren't complete (``Commit/isComplete``) aren't among them.
  ///
  /// - Complexity: O(*n*), where *n* is the limit.
  public var history: [Commit] { historyState.withLock { $0.commits.array } }

  /// How many of the last commits are kept in memory, with the objects that they changed; 0 at first.
  ///
  /// As many can be undone at most. A lower limit forgets the oldest.
  ///
  /// - Precondition: it isn't negative.
  public var historyLimit: Int {
    get { historyState.withLock { $0.limit } }
    set {
      mustHold(newValue >= 0, "A history of \(newValue) commits; use 0 or more")
      // What is forgotten is freed after the lock.
      let forgotten = historyState.withLock { $0.setLimit(newValue) }
      _ = forgotten
    }
  }

  /// Forgets the history, and what can be undone and done again.
  ///
  ///     do { try store.undo() } catch StoreError.changedSince { store.clearHistory() }
  ///
  /// It is the way past an undo that others' changes forbid, and a new start after an import. Further
  /// commits are kept as before.
  public func clearHistory() {
    // What is forgotten is freed after the lock.
    let forgotten = historyState.withLock { $0.clear() }
    _ = forgotten
  }

  /// The names of the commits that can be undone; the last is the next.
  ///
  /// These are the commits of this store that were given a name.
  public var undoNames: [String] { historyState.withLock { $0.undo.map { $0.name ?? "" } } }

  /// The names of the commits that can be done again; the last is the next.
  ///
  /// A further commit with a name forgets them.
  public var redoNames: [String] { historyState.withLock { $0.redo.map { $0.name ?? "" } } }

  /// Undoes the last commit with a name, by a commit that gives back what it changed.
  ///
  ///     store.historyLimit = 100
  ///     try store.commit(named: "Rename") { try $0.update(Car.self, 7) { $0.model = "Beetle" } }
  ///     try store.undo()
  ///
  /// Nothing is kept, and nothing can be undone, while ``Store/historyLimit`` is 0, as it is at first.
  /// Attributes that the commit didn't change stay as they are now. It is a commit of its own and, as
  /// ``Store/commit(named:_:)`` does, waits, blocked, for one that runs.
  ///
  /// - Returns: the name, or nil if there is nothing to undo.
  /// - Throws: ``StoreError/changedSince(_:attribute:expected:found:)``, `.notFound` or
  ///   `.alreadyExists` if an object isn't as the commit left it, or whatever rule the commit would
  ///   break. Then nothing has happened, and the commit can still be undone.
  /// - Precondition: it isn't called in the body of a commit of this store.
  @discardableResult
  public func undo() throws -> String? { try step(.undo) }

  /// Does the last commit that was undone again.
  ///
  /// It waits, blocked, for a commit that runs.
  ///
  /// - Returns: the name, or nil if there is nothing to do again.
  /// - Throws: as `undo`.
  /// - Precondition: it isn't called in the body of a commit of this store.
  @discardableResult
  public func redo() throws -> String? { try step(.redo) }

  private func step(_ kind: HistoryState.Kind) throws -> String? {
    mustHold(
      !writer.isHeldHere, "Undo is a commit of its own; call it outside the body of another one")
    var name: String?
    try commit { draft in
      // Inside the commit, so that no other one comes between.
      guard let step = historyState.withLock({ $0.begin(kind) }) else { return }
      name = step.name ?? ""
      try draft.revert(step)
    }
    return name
  }

  /// Makes the changes of another store's commit here.
  ///
  /// It waits, blocked, for a commit that runs on another thread. Where waiting must not block, call
  /// ``Draft/apply(_:)`` in the body of a ``Store/commitAsync(named:_:)``.
  ///
  /// - Throws: as ``Draft/apply(_:)``.
  public func replay(_ commit: Commit) throws {
    try self.commit(named: commit.name) { try $0.apply(commit) }
  }
}

extension Draft {
  /// Makes the changes of a commit, here or in another store of the same entities.
  ///
  /// Attributes that the commit didn't change stay as they are.
  ///
  /// - Throws: ``StoreError/changedSince(_:attribute:expected:found:)``, `.notFound` or
  ///   `.alreadyExists` if an object isn't as the commit found it; then nothing has been written.
  public func apply(_ commit: Commit) throws {
    try core.savepoint {
      for change in commit.sortedChanges { try core.make(change.old, change.new) }
    }
  }

  /// Gives back what a commit changed.
  ///
  /// Attributes that the commit didn't change stay as they are.
  ///
  /// - Throws: ``StoreError/changedSince(_:attribute:expected:found:)``, `.notFound` or
  ///   `.alreadyExists` if an object isn't as the commit left it; then nothing has been written.
  public func revert(_ commit: Commit) throws {
    try core.savepoint {
      for change in commit.sortedChanges { try core.make(change.new, change.old) }
    }
  }
}

extension Commit {
  /// The changes in the order of entities' names and of ids.
  fileprivate var sortedChanges: [ObjectChange] {
    sortedTables.flatMap(\.sorted)
  }
}

extension DraftCore {
  /// Makes an object what it is in `new`, if it is as in `old` as far as the two differ.
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
