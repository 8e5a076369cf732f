internal import Locking
internal import Relays

// What others commit to the same storage is taken in here: other processes, other stores, other tools.
// A commit does it before its body, and whoever notices it otherwise does it at once.
extension Store {
  /// Takes in what others have committed, so that models show it and events tell of it.
  ///
  /// It is done by itself soon after each of their commits, if the storage watches for them, and when a
  /// commit begins. What is found together is one commit, with its range of versions. In the body of a
  /// commit, or where nobody else writes, there is nothing left to take in.
  ///
  /// When it returns, models show what is taken in. Events of what the watching has taken in just before may
  /// still be told by its thread; `flush()` waits for them.
  ///
  /// It waits, blocked, for a commit that runs on another thread. Where waiting must not block, leave it to the
  /// watching, or to the next ``Store/commitAsync(named:_:)``.
  ///
  /// - Throws: ``StoreError`` if reading fails; then nothing has been taken in, and it can be tried again.
  public func refresh() throws {
    if writer.isHeldHere { return }
    try deferringDeliveries {
      writer.lockHere()
      defer { writer.unlockHere() }
      _ = try takeInNewest()
    }
  }

  /// The same for who must not block.
  ///
  /// - Returns: whether there was anything.
  nonisolated(nonsending) func takeInWhenFree() async throws -> Bool {
    try await writer.lockWhenFree()
    return try deferringDeliveries {
      defer { writer.unlockHere() }
      return try takeInNewest()
    }
  }

  /// Tells everybody that others' commits can't be read.
  func tell(_ error: any Error) {
    deferringDeliveries { publish({ .error(error, after: takenIn.value) }, sealing: { _ in }) }
    errorRelay.send(error)
  }

  func takeInNewest() throws -> Bool {
    let isNew = try storage.read { reader in
      try hasSeenOther(reader) ? nil : try takeIn(reader)
    }
    if let isNew { return isNew }
    try leaveSeenVersions()
    return try storage.read { try takeIn($0) }
  }

  /// Runs `body` with the storage while nobody commits in this store.
  ///
  /// - Parameters:
  ///   - caller: what the user has called, for the sentence about a mistake.
  ///   - body: what is done then.
  /// - Throws: what `body` throws, and what taking in others' commits does.
  /// - Precondition: it isn't called in the body of a commit.
  package func betweenCommits(_ caller: String, _ body: (any Storage) throws -> Void) throws {
    mustHold(
      !writer.isHeldHere, "\(caller) is called in the body of a commit; call it after the commit")
    try deferringDeliveries {
      writer.lockHere()
      defer { writer.unlockHere() }
      try checkHealth()
      _ = try takeInNewest()
      try body(storage)
    }
  }

  /// Begins a transaction at a version that nobody here has seen as another one.
  func beginTransaction() throws -> any StorageTransaction {
    let transaction = try storage.begin()
    do {
      if try !hasSeenOther(transaction) { return transaction }
    } catch {
      transaction.rollBack()
      throw error
    }
    transaction.rollBack()
    try leaveSeenVersions()
    return try storage.begin()
  }

  /// Whether somebody here may have seen another version of the number that a reader's version has: an older copy was
  /// put back, and others have gone on from there.
  private func hasSeenOther(_ reader: any StorageReader) throws -> Bool {
    let version = reader.version
    guard version >= lastVersion, let mark = try reader.mark(of: lastVersion) else { return false }
    if mark.token != lastMark.token {
      return version == lastVersion || aheadReads.withLock { $0.haveRead(atLeast: version) }
    }
    guard version == lastVersion, mark != seenMark else { return false }
    // Of the rows of a table that somebody has made again, without a version, nothing was told.
    let isMadeAgain = (storage as? any FileStorage)?.isMadeAgain(mark, since: seenMark) ?? false
    // What can't be taken in now, since somebody else writes, is to be seen again.
    if !isMadeAgain { seenMark = mark }
    return isMadeAgain
  }

  /// Has the storage go on from a version that nobody here has seen.
  private func leaveSeenVersions() throws {
    let seen = aheadReads.withLock { $0.newest }
    try (storage as? any FileStorage)?.skip(past: Swift.max(lastVersion, seen ?? lastVersion))
  }

  /// Takes in what others have committed up to the reader's version.
  ///
  /// The caller holds the writer's lock and puts deliveries off.
  ///
  /// - Returns: whether there was anything.
  /// - Throws: what reading the changes throws; then nothing has been taken in.
  @discardableResult
  func takeIn(_ reader: any StorageReader) throws -> Bool {
    let version = reader.version
    if version == lastVersion { return false }
    let mark = try reader.mark(of: version)
    guard version > lastVersion else {
      throw StoreError.storage(
        StorageFault(
          .replaced,
          "The storage is at version \(version), and was at \(lastVersion): somebody has put back an older "
            + "copy or emptied the log; open the store again"))
    }
    // Nothing is known of what has led from another version of that number to this one.
    let isKnown = try reader.mark(of: lastVersion) == lastMark
    let changes = isKnown ? try reader.changes(since: lastVersion, of: entities) : nil
    attempts += 1
    if let changes { noteIDs([:], changes) } else { forgetIDs() }
    if let changes { ReleasePool.add(changes) }
    publish {
      // An observer that has read a version between may show what is nothing on net, so nobody would ask it.
      let wasReadBetween = aheadReads.withLock { $0.cross(lastVersion + 1...version) }
      // Nothing on net is no commit that anybody hears of; but rows may have other numbers.
      let isNothing = (changes?.isEmpty ?? false) && !wasReadBetween
      if isNothing, changes?.rewritten.isEmpty ?? true { return nil }
      let commit = Commit(
        versions: lastVersion + 1...version, changes: changes ?? NetChanges(), isForeign: true,
        followsUnknown: changes == nil || wasReadBetween, isComplete: changes != nil,
        attempt: attempts)
      if isNothing { return .renumbering(commit, reader) }
      return .commit(commit, reader)
    } sealing: { commit in
      (lastVersion, lastMark) = (version, mark ?? StorageMark())
      // Before any callback, perhaps on another thread, looks at the history.
      if let commit { ReleasePool.add(historyState.withLock { $0.takeIn(commit) }) }
    }
    return true
  }
}

extension Store {
  /// Runs `body` with the storage's reader, for observers that read what they begin with, or read anew.
  ///
  /// It may read what others have committed and what isn't taken in yet. `body` runs again if that was taken
  /// in meanwhile as a part of more.
  package func readFirst<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result {
    while true {
      aheadReads.withLock { $0.begin() }
      let read = Swift.Result { try storage.read { (try body($0), $0.version) } }
      let version = try? read.get().1
      let mayStay = aheadReads.withLock { $0.end(version, takenIn: takenIn.value) }
      let (result, _) = try read.get()
      if mayStay { return result }
    }
  }
}

extension Store {
  /// The last version that has been taken in: what is read of a later one isn't in any model yet.
  package var takenInVersion: Int64 { takenIn.value }
}
