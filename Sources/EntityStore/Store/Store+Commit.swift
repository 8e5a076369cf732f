internal import Locking
internal import Relays

extension Store {
  /// Runs `body` and makes what it wrote durable, all or nothing.
  ///
  /// Commits wait for each other. A commit inside another one's body joins it: if it throws, only its
  /// own writes are undone, and there is one event in all. When the outermost commit returns, the
  /// storage has it and, with one committing thread and outside a callback, its immediate events have
  /// been delivered; another thread that is delivering may still be at it, see ``Store/flush()``. When it
  /// throws, nothing has changed and nothing is published. A commit that changes nothing makes no version
  /// and no event. A commit made in a callback is delivered after the current one, and one made in the
  /// body of another store's commit after that has ended: no callback runs inside a body.
  ///
  /// What others have committed to the same file is taken in before the body runs, and told before the
  /// commit's own events, also if the body throws.
  ///
  /// - Parameters:
  ///   - name: what a person would call the change, for `undo`, which needs a ``Store/historyLimit`` above
  ///     0; a commit inside another one has none.
  ///   - body: what to write. It runs once, at once, on the calling thread.
  /// - Returns: what `body` returns.
  /// - Throws: what `body` throws, or ``StoreError``.
  @discardableResult
  public func commit<Result>(
    named name: String? = nil, _ body: (inout Draft) throws -> Result
  ) throws -> Result {
    if writer.isHeldHere { return try joinRunning(name, body) }
    return try deferringDeliveries {
      writer.lockHere()
      return try runHere(name, body)
    }
  }

  /// Can't be used: a commit's body can't wait, since everybody else would wait for it.
  ///
  /// It is there for its message.
  @available(
    *, unavailable,
    message: "a body can't wait; await before, and wait for the commit's turn with commitAsync"
  )
  @discardableResult
  public func commit<Result>(
    named name: String? = nil, _ body: (inout Draft) async throws -> Result
  ) async throws -> Result { mistake("A commit's body can't wait for anything; await before it") }

  /// Can't be used: a commit's body can't wait, since everybody else would wait for it.
  ///
  /// It is there for its message.
  @available(
    *, unavailable,
    message: "a body can't wait, that of commitAsync neither; await before the commit"
  )
  @discardableResult
  public func commitAsync<Result>(
    named name: String? = nil, _ body: (inout Draft) async throws -> Result
  ) async throws -> Result { mistake("A commit's body can't wait for anything; await before it") }

  /// The same as `commit`, for who must not block: waits suspended while others write.
  ///
  /// `body` runs on the caller's actor, once its turn has come. Tasks come in the order of their
  /// calls; a thread that waits in `commit` goes before a task whose actor is busy.
  ///
  /// - Returns: what `body` returns.
  /// - Throws: what `body` throws, ``StoreError``, or `CancellationError` if the task is cancelled
  ///   before its turn has come; then `body` hasn't run.
  @discardableResult
  public nonisolated(nonsending) func commitAsync<Result>(
    named name: String? = nil, _ body: (inout Draft) throws -> Result
  ) async throws -> Result {
    if writer.isHeldHere { return try joinRunning(name, body) }
    try await writer.lockWhenFree()
    return try deferringDeliveries { try runHere(name, body) }
  }

  /// Makes a commit on the thread that has the writer's turn, ends the turn, and waits until the commit is durable.
  private func runHere<Result>(
    _ name: String?, _ body: (inout Draft) throws -> Result
  ) throws -> Result {
    let written: (result: Result, version: Int64)
    do {
      defer { writer.unlockHere() }
      written = try write(name, body)
    }
    try makeDurable(written.version)
    return written.result
  }

  /// Waits until a version is as durable as the storage promises; others may write meanwhile.
  private func makeDurable(_ version: Int64) throws {
    do {
      try storage.makeDurable(version)
    } catch {
      if let error = error as? StoreError, case .outcomeUnknown = error { fail(error) }
      throw error
    }
  }

  /// Waits until everything that has been committed so far has been delivered, in every place.
  ///
  /// It can't be called from where something is delivered, since it suspends.
  public func flush() async {
    // What can be read already may not have its turns yet.
    waitForPublishing()
    await DeliveryQueue.flush(immediate)
  }

  /// Runs `body` and afterwards, when its locks are released, what it has left to deliver.
  func deferringDeliveries<Result>(_ body: () throws -> Result) rethrows -> Result {
    try ReleasePool.openInner {
      DeferredDeliveries.begin()
      // Also if a later step throws.
      defer { DeferredDeliveries.end() }
      return try body()
    }
  }

  /// Writes the one commit that the calling thread may write now.
  ///
  /// - Returns: The result of the body, and the version that has to be durable before the commit returns.
  private func write<Result>(
    _ name: String?, _ body: (inout Draft) throws -> Result
  ) throws -> (result: Result, version: Int64) {
    // Nil once the history has it.
    var outcome: HistoryState.Outcome? = .failed
    defer { if let outcome { ReleasePool.add(historyState.withLock { $0.end(outcome) }) } }
    try checkHealth()
    let transaction = try beginTransaction()
    ReleasePool.add(transaction)
    do {
      try takeIn(transaction)
    } catch {
      transaction.rollBack()
      throw error
    }
    let (result, changes, given) = try runBody(body, on: transaction)
    ReleasePool.add(changes)
    if changes.isEmpty {
      try keep(given, transaction)
      outcome = .unchanged
      // What the body has seen is durable when it returns.
      return (result, lastVersion)
    }
    let version = try finish(name, changes, given, transaction) { commit in
      // Before any callback, perhaps on another thread, looks at the history.
      ReleasePool.add(historyState.withLock { $0.end(.made(commit)) })
      outcome = nil
    }
    return (result, version)
  }

  private func joinRunning<Result>(
    _ name: String?, _ body: (inout Draft) throws -> Result
  ) throws -> Result {
    guard let running else {
      mistake(
        "A commit is made while another one is published, by code that reads or stores an attribute; "
          + "such code must not use the store")
    }
    return try join(running, body)
  }

  private func join<Result>(
    _ core: DraftCore, _ body: (inout Draft) throws -> Result
  ) throws -> Result {
    try core.savepoint {
      var draft = Draft(core)
      return try body(&draft)
    }
  }

  /// Runs the body and validates what it wrote.
  private func runBody<Result>(
    _ body: (inout Draft) throws -> Result, on transaction: any StorageTransaction
  ) throws -> (Result, NetChanges, given: [EntityDescription: Int64]) {
    let core = DraftCore(over: transaction, of: self)
    ReleasePool.add(core)
    running = core
    defer {
      core.close()
      running = nil
    }
    do {
      var draft = Draft(core)
      let result = try body(&draft)
      return (result, try validator.validate(core), core.givenIDs)
    } catch {
      transaction.rollBack()
      throw error
    }
  }

  /// What tells the version of a transaction that has been applied from others of that number.
  func markOrRollBack(_ transaction: any StorageTransaction) throws -> StorageMark {
    do {
      return try transaction.mark(of: transaction.version) ?? StorageMark()
    } catch {
      transaction.rollBack()
      throw error
    }
  }

  /// Writes a commit's changes, and the ids that it was given.
  func apply(
    _ changes: NetChanges, _ given: [EntityDescription: Int64],
    to transaction: any StorageTransaction
  ) throws {
    do {
      if !given.isEmpty { try transaction.keep(lastIDs: given) }
      try transaction.apply(changes)
    } catch {
      transaction.rollBack()
      throw error
    }
  }

  /// Makes a transaction one that readers see.
  func seal(_ transaction: any StorageTransaction) throws {
    do {
      try transaction.commit()
    } catch {
      if let error = error as? StoreError, case .outcomeUnknown = error { fail(error) }
      throw error
    }
  }

  /// Stores the changes and publishes them.
  ///
  /// - Returns: The version of the commit.
  private func finish(
    _ name: String?, _ changes: NetChanges, _ given: [EntityDescription: Int64],
    _ transaction: any StorageTransaction, whenSealed: (Commit) -> Void
  ) throws -> Int64 {
    try apply(changes, given, to: transaction)
    // What others have committed has been taken in; a storage may leave out versions all the same.
    let hasGap = transaction.version != lastVersion + 1
    let mark = try markOrRollBack(transaction)
    attempts += 1
    let commit = Commit(
      version: transaction.version, name: name, changes: changes, followsUnknown: hasGap,
      attempt: attempts)
    try publish {
      .commit(commit, transaction)
    } sealing: { _ in
      try seal(transaction)
      noteIDs(given, changes)
      (lastVersion, lastMark) = (commit.version, mark)
      whenSealed(commit)
    }
    return commit.version
  }
}
