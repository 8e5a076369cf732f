internal import Locking
internal import Relays

// External commits to the same storage are merged here: those of other processes, other stores and
// other tools. A commit merges them before its body. Other code that notices them merges them
// immediately.
extension Store {
  /// Merges external commits, so that models show them and events report them.
  ///
  /// If the storage watches for external commits, this happens automatically soon after each of
  /// them. It also happens when a commit begins. Commits that are found together become one commit
  /// with a range of versions. In the body of a commit, or if nobody else writes, there is nothing
  /// left to merge.
  ///
  /// When the method returns, the merged commits are published as those of a commit are: models of
  /// `.immediate` show them, outside a callback. `await flush()` waits for the other contexts. If
  /// the watcher has merged commits just before, its thread may still be delivering their events;
  /// `flush()` waits for them, too.
  ///
  /// The method blocks while a commit runs on another thread. If you must not block, leave the work
  /// to the watcher, or to the next ``Store/commitAsync(named:_:)``.
  ///
  /// - Throws: ``StoreError`` if reading fails. Then nothing has been merged, and you can try
  ///   again.
  public func refresh() throws {
    if writer.isHeldHere { return }
    try operation(.merging) { versions in
      try deferringDeliveries {
        writer.lockHere()
        defer { writer.unlockHere() }
        let known = lastVersion
        _ = try mergeNewest()
        versions = self.versions(since: known)
      }
    }
  }

  /// Merges external commits, and suspends instead of blocking.
  ///
  /// - Returns: true if there were any.
  nonisolated(nonsending) func mergeWhenFree() async throws -> Bool {
    let merging = hooks.begin(.merging)
    do {
      try await writer.lockWhenFree()
      let (isNew, versions) = try deferringDeliveries {
        defer { writer.unlockHere() }
        // A watcher is about to end then, and has nothing to report.
        if closing.hasBegun { return (false, nil as ClosedRange<Int64>?) }
        let known = lastVersion
        return (try mergeNewest(), self.versions(since: known))
      }
      merging?.end(versions)
      return isNew
    } catch {
      // The watcher's task is cancelled when the store is closed.
      merging?.end(nil, closing.hasBegun ? nil : error)
      throw error
    }
  }

  /// Reports to all observers that external commits can't be read.
  func report(_ error: any Error) {
    if closing.hasBegun { return }
    let watching = hooks.begin(.watching)
    deferringDeliveries {
      publish {
        // The store may have been closed since.
        if closing.hasBegun { return [] }
        let queues = install(prepare(error, after: merged.value), sending: nil)
        immediate.enqueue { [errorRelay] in errorRelay.send(error) }
        return queues + [immediate]
      }
    }
    watching?.end(nil, error)
  }

  func mergeNewest() throws -> Bool {
    try checkOpen()
    guard let storage = storage as? any SkippingStorage else { return try mergeWhatIsRead() }
    // A read that waits for other reads would have commits wait, too.
    return try storage.merging { try mergeWhatIsRead() }
  }

  private func mergeWhatIsRead() throws -> Bool {
    let isNew = try storage.read { reader in
      try hasSeenOther(reader) ? nil : try merge(reader)
    }
    if let isNew { return isNew }
    try leaveSeenVersions()
    return try storage.read { try merge($0) }
  }

  /// Runs `body` with the storage while no commit of this store runs.
  ///
  /// `caller` is named in the message about a mistake.
  ///
  /// - Throws: the error that `body` throws, or an error of merging external commits.
  /// - Precondition: it isn't called in the body of a commit.
  package func betweenCommits(_ caller: String, _ body: (any Storage) throws -> Void) throws {
    mustHold(
      !writer.isHeldHere, "\(caller) is called in the body of a commit; call it after the commit")
    try operation(.maintenance, named: caller) { _ in
      try deferringDeliveries {
        writer.lockHere()
        defer { writer.unlockHere() }
        try checkHealth()
        _ = try mergeNewest()
        try failingIfUnknown { try body(storage) }
      }
    }
  }

  /// Notes that the storage has given a version another mark, without a change of its objects.
  ///
  /// `old` is nil if the mark before isn't known.
  package func noteMark(of version: Int64, old: StorageMark?, new: StorageMark?) {
    guard let new, version == lastVersion, new.token == old?.token else { return }
    if old == lastMark {
      lastMark = new
    } else if old == seenMark {
      // Another program has changed the tables, too. So its next commit may not be exact.
      seenMark = new
    }
  }

  /// Begins a transaction at a version whose number this store hasn't seen for another version.
  func beginTransaction() throws -> any StorageTransaction {
    let transaction = try storage.begin()
    if try !transaction.rollingBack({ try hasSeenOther(transaction) }) { return transaction }
    transaction.rollBack()
    try leaveSeenVersions()
    return try storage.begin()
  }

  /// Returns true if this store may have seen another version with the same number as the reader's.
  ///
  /// This happens if an older copy of the file was put back, and others have committed since. It is
  /// about to happen if a server has lost its last versions.
  private func hasSeenOther(_ reader: any StorageReader) throws -> Bool {
    let version = reader.version
    if version < lastVersion, (storage as? any SkippingStorage)?.mayLoseVersions ?? false {
      return true
    }
    guard version >= lastVersion, let mark = try reader.externalMark(of: lastVersion) else {
      return false
    }
    if mark.token != lastMark.token {
      return version == lastVersion || aheadReads.withLock { $0.haveRead(atLeast: version) }
    }
    guard version == lastVersion, mark != seenMark else { return false }
    // A table may have been made again without a new version. Then no change of its rows was
    // reported.
    let isMadeAgain = (storage as? any FileStorage)?.isMadeAgain(mark, since: seenMark) ?? false
    // If the rows can't be merged now because somebody else writes, they have to be noticed again.
    if !isMadeAgain { seenMark = mark }
    return isMadeAgain
  }

  /// Makes the storage continue after all versions that this store has seen.
  private func leaveSeenVersions() throws {
    let seen = aheadReads.withLock { $0.newest }
    try (storage as? any SkippingStorage)?.skip(past: Swift.max(lastVersion, seen ?? lastVersion))
  }

  /// Merges external commits up to the reader's version.
  ///
  /// The caller holds the writers' lock and defers deliveries.
  ///
  /// - Returns: true if there were any.
  /// - Throws: the error of reading the changes. Then nothing has been merged.
  @discardableResult
  func merge(_ reader: any StorageReader) throws -> Bool {
    let version = reader.version
    if version == lastVersion { return false }
    let mark = try reader.externalMark(of: version)
    guard version > lastVersion else { throw behindFault(version, lastVersion) }
    // If the last version was another one with the same number, the changes since are unknown.
    let isKnown = try reader.externalMark(of: lastVersion) == lastMark
    let changes = isKnown ? try reader.externalChanges(since: lastVersion, of: entities) : nil
    attempts += 1
    if let changes {
      noteIDs([:], changes)
      ReleasePool.add(changes)
    } else {
      forgetIDs()
    }
    try publish {
      // An observer may have read a version in between, and show changes that were undone later. On
      // net there is no change, so the observer wouldn't be asked.
      let wasReadBetween = aheadReads.withLock { $0.cross(lastVersion + 1...version) }
      // If nothing changes on net, `commits` sends nothing. But rows may have other row numbers.
      let isNothing = (changes?.isEmpty ?? false) && !wasReadBetween
      if isNothing, changes?.rewritten.isEmpty ?? true {
        (lastVersion, lastMark) = (version, mark ?? StorageMark())
        return []
      }
      let commit = Commit(
        versions: lastVersion + 1...version, changes: changes ?? NetChanges(), isExternal: true,
        followsUnknown: changes == nil || wasReadBetween, isComplete: changes != nil,
        attempt: attempts)
      let deliveries = prepare(commit, reading: reader)
      // If the storage has been suspended meanwhile, observers have prepared an error, and this
      // throws it. What they have prepared is dropped, as after a commit that fails.
      _ = try reader.externalMark(of: version)
      (lastVersion, lastMark) = (version, mark ?? StorageMark())
      if isNothing { return install(deliveries, sending: nil) }
      // This happens before any callback, perhaps on another thread, looks at the history.
      ReleasePool.add(historyState.withLock { $0.merge(commit) })
      return install(deliveries, sending: commit)
    }
    return true
  }
}

extension Store {
  /// Returns the fault of a storage that is behind the version at which it was.
  private func behindFault(_ version: Int64, _ known: Int64) -> StoreError {
    .fault(
      .replaced,
      "The storage is at version \(version), and was at \(known): somebody has put back an older "
        + "copy or emptied the log; open the store again")
  }

  /// Runs `body` with the storage's reader, for observers that read the first time or again.
  ///
  /// It may read external commits that aren't merged yet. `body` runs again if the version that it
  /// read was merged meanwhile together with later ones.
  ///
  /// It throws if somebody has put back an older copy of a file, because nothing is merged from
  /// then on.
  package func readFirst<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result {
    let isFile = storage is any FileStorage
    while true {
      try checkReads()
      let known = merged.value
      aheadReads.withLock { $0.begin() }
      let read = Swift.Result<(Result, Int64), any Error> {
        try storage.read { reader in
          if isFile && reader.version < known { throw behindFault(reader.version, known) }
          return (try body(reader), reader.version)
        }
      }
      let version = try? read.get().1
      let mayStay = aheadReads.withLock { $0.end(version, merged: merged.value) }
      let (result, _) = try read.get()
      if mayStay { return result }
    }
  }
}

extension Store {
  /// The last version that has been merged; later versions aren't in any model yet.
  package var mergedVersion: Int64 { merged.value }
}
