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
  /// - Throws: ``StoreError`` if reading fails; then nothing has been taken in, and it can be tried again.
  public func refresh() throws {
    if writer.isHeldHere { return }
    try deferringDeliveries { kept in
      writer.lockHere()
      defer { writer.unlockHere() }
      try storage.read { _ = try takeIn($0, keeping: &kept) }
    }
  }

  /// The same for who must not block.
  ///
  /// - Returns: whether there was anything.
  nonisolated(nonsending) func takeInWhenFree() async throws -> Bool {
    try await writer.lockWhenFree()
    return try deferringDeliveries { kept in
      defer { writer.unlockHere() }
      return try storage.read { try takeIn($0, keeping: &kept) }
    }
  }

  /// Takes in what others have committed up to the reader's version.
  ///
  /// The caller holds the writer's lock and puts deliveries off.
  ///
  /// - Returns: whether there was anything.
  /// - Throws: what reading the changes throws; then nothing has been taken in.
  @discardableResult
  func takeIn(_ reader: any StorageReader, keeping kept: inout HeldByCommit) throws -> Bool {
    let version = reader.version
    guard version > lastVersion else { return false }
    let changes = try reader.changes(since: lastVersion, of: entities)
    if let changes, changes.isEmpty {
      lastVersion = version
      return true
    }
    attempts += 1
    let commit = Commit(
      versions: lastVersion + 1...version, changes: changes ?? NetChanges(), isForeign: true,
      followsUnknown: changes == nil, attempt: attempts)
    var held = HeldByCommit()
    held.changes = changes
    let queues = publishing.withLock { _ in
      prepare(commit, reading: reader, keeping: &held)
      lastVersion = version
      // Before anybody is told, perhaps by another thread, that looks at the history.
      held.forgotten = historyState.withLock { $0.takeIn(commit) }
      return placing.withLock { _ in place(commit, keeping: &held) }
    }
    kept.foreign.append(held)
    // Put off until the locks are gone.
    for queue in queues { queue.run() }
    return true
  }
}

/// The last version that a store has taken in, for whoever doesn't hold the store.
final class TakenInVersion: Sendable {
  private let word: AtomicWord

  init(_ version: Int64) { word = AtomicWord(Int(version)) }

  var value: Int64 { Int64(word.load()) }

  func set(_ version: Int64) { word.store(Int(version)) }
}
