internal import SQLiteLibrary
internal import EntityStore
internal import Locking

/// An object that checkpoints a file's WAL on a separate thread, so that no commit waits for it.
///
/// It has its own connection. It opens the connection and starts the thread when there is first
/// something to checkpoint. Commits continue meanwhile, and the pages that they add are moved into
/// the file once they pause. After the whole WAL has been moved, the next commit starts it from the
/// beginning.
final class WALCheckpointer: Sendable {
  private struct State: @unchecked Sendable {
    // @unchecked: the connection is used only under the lock, which is held during a checkpoint.
    var connection: Connection?
    var hasEnded = false
  }

  private let open: @Sendable () throws -> Connection
  private let health: WALHealth
  private let gate: FileGate
  private let state = Locked(State())
  private let wakeUp = WakeUp()
  /// 1 if a thread has been started.
  private let hasBegun = AtomicWord(0)
  private let isAsked = AtomicWord(0)
  private let hasEnded = AtomicWord(0)
  /// The number of pages in the WAL after this storage's last commit.
  private let pages = AtomicWord(0)
  private let checkpoints = AtomicWord(0)
  /// 1 if the store was suspended during the last checkpoint, or when it was to begin.
  private let isInterrupted = AtomicWord(0)
  /// The number of pages of the WAL that had been moved after the last checkpoint.
  private let moved = AtomicWord(0)

  /// The time until the next attempt to move the rest.
  ///
  /// It doubles with each attempt, up to the longest one.
  private let pause: Duration
  private static let longestPause = Duration.seconds(60)

  /// The thread starts with the first checkpoint.
  init(
    _ health: WALHealth, _ gate: FileGate, pause: Duration = .milliseconds(20),
    open: @escaping @Sendable () throws -> Connection
  ) {
    self.health = health
    self.gate = gate
    self.pause = pause
    self.open = open
  }

  /// The number of checkpoints that have been tried.
  var count: Int { checkpoints.load() }

  /// True if all pages that this storage's commits have noted have been moved.
  var hasMovedAll: Bool { moved.load() == pages.load() }

  /// Notes the length of the WAL after a commit.
  func note(pages: Int) { self.pages.store(pages) }

  /// Requests a checkpoint, which follows soon.
  ///
  /// It is called by one thread at a time, and doesn't wait. It returns false if the system can't
  /// start another thread.
  func ask() -> Bool {
    isAsked.store(1)
    if hasBegun.load() == 0 {
      guard PlatformThread.start({ [self] in run() }) else { return false }
      hasBegun.store(1)
    }
    wakeUp.call()
    return true
  }

  /// Makes a checkpoint again that has ended early because the store was suspended.
  func resume() {
    guard isInterrupted.exchange(0) != 0 else { return }
    isAsked.store(1)
    wakeUp.call()
  }

  /// Ends checkpointing, and closes the connection.
  ///
  /// It waits for a checkpoint that is running.
  func end() {
    hasEnded.store(1)
    let connection = state.withLock { state in
      state.hasEnded = true
      return state.connection.take()
    }
    wakeUp.call()
    if health.fault != nil || connection?.lostShare != nil { connection?.keepWAL() }
    withExtendedLifetime(connection) {}
  }

  private func run() {
    while hasEnded.load() == 0 {
      guard isAsked.exchange(0) != 0 else {
        wakeUp.sleep()
        continue
      }
      // Further commits, or a long read, may keep the rest from being moved. A backup may read for
      // hours, and perhaps nobody asks again after it.
      var pause = pause
      while !checkpoint() {
        wakeUp.sleep(for: pause)
        if hasEnded.load() != 0 || isAsked.load() != 0 { break }
        pause = min(pause * 2, Self.longestPause)
      }
    }
  }

  /// Moves as many pages as possible into the file, and returns true if none is left to move.
  private func checkpoint() -> Bool {
    guard gate.enterIfOpen() else {
      isInterrupted.store(1)
      // The store may have been resumed meanwhile.
      return gate.isClosedHere
    }
    defer { gate.leave() }
    return state.withLock { state in
      // After a failed sync the WAL may have a hole that nobody knows of.
      if state.hasEnded || health.fault != nil { return true }
      // If the file can't be opened, commits checkpoint it. If it has been deleted or replaced, its
      // WAL stays as it is.
      guard let connection = try? state.connection ?? open(),
        (try? connection.checkPlace()) != nil
      else {
        state.connection = nil
        return true
      }
      state.connection = connection
      var (length, moved): (Int32, Int32) = (0, 0)
      let code = gate.checkpoint(connection.handle) {
        sqlite3_wal_checkpoint_v2(
          connection.handle, "main", SQLITE_CHECKPOINT_PASSIVE, &length, &moved)
      }
      if code & 0xFF == SQLITE_INTERRUPT {
        isInterrupted.store(1)
        // The store may have been resumed meanwhile.
        return gate.isClosedHere
      }
      isInterrupted.store(0)
      if StorageFault.isFailedSync(code) { health.fail(connection.fault(code)) }
      self.moved.store(Int(moved))
      checkpoints.add(1)
      // Another process may be moving pages, and stop before it has moved all of them.
      if code & 0xFF == SQLITE_BUSY { return false }
      return code != SQLITE_OK || moved >= length
    }
  }
}
