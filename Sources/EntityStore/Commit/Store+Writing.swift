internal import Locking
internal import Relays

// The steps of one commit, on the thread that holds the writers' lock: the body, the rules, the
// storage, and what is published.
extension Store {
  /// Makes a commit on the thread that holds the writers' lock, releases the lock, and waits until
  /// the commit is durable.
  ///
  /// - Returns: The version, or nil if nothing has changed.
  func writeAndUnlock(
    _ name: String?, _ watch: CommitWatch?, _ body: (inout Draft) throws -> Void
  ) throws -> Int64? {
    var written = Written()
    // Its rows are released after the writers' lock is.
    defer { withExtendedLifetime(written) {} }
    watch?.end(.waiting)
    if watch != nil { self.watch = watch }
    do {
      defer {
        if watch != nil { self.watch = nil }
        writer.unlockHere()
      }
      try write(name, body, &written)
    }
    try makeDurable(written.version)
    watch?.end(.syncing)
    return written.changes?.isEmpty == false ? written.version : nil
  }

  /// Waits until a version is as durable as the storage promises; others may write meanwhile.
  private func makeDurable(_ version: Int64) throws {
    try failingIfUnknown { try storage.makeDurable(version) }
  }

  /// Runs `body`, and marks the store as failed if the outcome of a commit isn't known afterwards.
  ///
  /// - Throws: the error that `body` throws.
  func failingIfUnknown(_ body: () throws -> Void) throws {
    do { try body() } catch {
      if let error = error as? StoreError, case .outcomeUnknown = error { fail(error) }
      throw error
    }
  }

  /// The parts of a commit that may run an app's `deinit` when they are released: the committing
  /// thread releases them once it holds no lock.
  private struct Written {
    /// The version that has to be durable before the commit returns.
    var version = Int64.min
    var core: DraftCore?
    var changes: NetChanges?
  }

  /// Writes the one commit that the calling thread may write now.
  private func write(
    _ name: String?, _ body: (inout Draft) throws -> Void, _ written: inout Written
  ) throws {
    // Nil once the history has the outcome.
    var outcome: HistoryState.Outcome? = .failed
    defer { if let outcome { endInHistory(outcome) } }
    try checkHealth()
    let core = DraftCore(over: try beginTransaction(), of: self)
    written.core = core
    let changes = try runBody(body, on: core)
    written.changes = changes
    if changes.isEmpty {
      try endUnchanged(keeping: core.givenIDs, in: core.base)
      outcome = .unchanged
      // The version that the body has seen is durable when the commit returns.
      written.version = lastVersion
      return
    }
    written.version = try finish(name, changes, core.givenIDs, core.base) { commit in
      // This happens before any callback, perhaps on another thread, looks at the history.
      endInHistory(.made(commit))
      outcome = nil
    }
  }

  /// Ends the running commit in the history, if there is one.
  private func endInHistory(_ outcome: HistoryState.Outcome) {
    if hasHistory.load() == 0 { return }
    let hasLost = if case .made = outcome { historyStorage?.hasLostHistory ?? false } else { false }
    let forgotten = historyState.withLock { state in
      // The step that ends has its commit now, so it stays.
      let forgotten = state.end(outcome)
      if hasLost { state.forgetKept() }
      return forgotten
    }
    if !forgotten.isEmpty { ReleasePool.add(forgotten) }
  }

  /// Passes what a commit changes in the history to a storage that keeps it.
  private func keepInHistory(_ name: String?) {
    guard let historyStorage else { return }
    if let update = historyState.withLock({ $0.update(named: name) }) {
      historyStorage.keep(update)
    }
  }

  /// Runs the body inside the commit that the calling thread is making.
  func joinRunning(_ name: String?, _ body: (inout Draft) throws -> Void) throws {
    guard let running else {
      mistake(
        "A commit is made while another one is checked or published, by code that checks, reads or stores "
          + "an attribute or makes an observed value; such code must not use the store")
    }
    try running.savepoint {
      var draft = Draft(running)
      try body(&draft)
    }
  }

  /// Merges the external commits, runs the body and validates what it wrote.
  private func runBody(
    _ body: (inout Draft) throws -> Void, on core: DraftCore
  ) throws -> NetChanges {
    try core.base.rollingBack {
      let known = lastVersion
      try merge(core.base)
      if let watch {
        watch.note(merged: versions(since: known))
        watch.end(.merging)
      }
      running = core
      defer {
        core.close()
        running = nil
      }
      var draft = Draft(core)
      try body(&draft)
      watch?.end(.body)
      // A commit that joined from here on would follow no rule.
      running = nil
      let changes = try validator.validate(core)
      watch?.end(.rules)
      return changes
    }
  }

  /// Returns the mark of an applied transaction's version, or rolls the transaction back.
  ///
  /// The mark distinguishes the version from others with the same number.
  func markOrRollBack(_ transaction: any StorageTransaction) throws -> StorageMark {
    try transaction.rollingBack {
      try transaction.externalMark(of: transaction.version) ?? StorageMark()
    }
  }

  func apply(
    _ changes: NetChanges, _ given: [EntityDescription: Int64],
    to transaction: any StorageTransaction
  ) throws {
    try transaction.rollingBack {
      if !given.isEmpty { try transaction.keep(lastIDs: given) }
      try transaction.apply(changes)
    }
  }

  /// Commits a transaction, so that readers see it.
  func seal(_ transaction: any StorageTransaction) throws {
    try failingIfUnknown { try transaction.commit { writer.waiterCount > 0 } }
  }

  /// Stores the changes and publishes them.
  ///
  /// - Returns: The version of the commit.
  private func finish(
    _ name: String?, _ changes: NetChanges, _ given: [EntityDescription: Int64],
    _ transaction: any StorageTransaction, whenSealed: (Commit) -> Void
  ) throws -> Int64 {
    keepInHistory(name)
    try apply(changes, given, to: transaction)
    // External commits have been merged, but a storage may still skip versions.
    let hasGap = transaction.version != lastVersion + 1
    let mark = try markOrRollBack(transaction)
    attempts += 1
    watch?.end(.storing)
    let version = transaction.version
    let commit = Commit(
      versions: version...version, name: name, changes: changes, followsUnknown: hasGap,
      attempt: attempts)
    try publish {
      let deliveries = prepare(commit, reading: transaction)
      watch?.end(.preparing)
      try seal(transaction)
      watch?.end(.sealing)
      noteIDs(given, changes)
      (lastVersion, lastMark) = (commit.version, mark)
      whenSealed(commit)
      return install(deliveries, sending: commit)
    }
    watch?.end(.installing)
    return commit.version
  }
}
