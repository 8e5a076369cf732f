internal import CSQLite
internal import EntityStore
internal import Locking

/// Checkpoints a file's WAL on a thread of its own, so that no commit waits for it.
///
/// It has a connection of its own, opened when there is first something to checkpoint; the thread begins then, too.
/// Commits go on meanwhile, and what they add is moved into the file once they pause. After the whole WAL has been moved,
/// the next commit begins it again.
final class WALCheckpointer: Sendable {
  private struct State: @unchecked Sendable {
    // @unchecked: the connection is used under the lock only, which is held during a checkpoint.
    var connection: Connection?
    var hasEnded = false
  }

  private let open: @Sendable () throws -> Connection
  private let health: WALHealth
  private let state = Locked(State())
  private let wakeUp = WakeUp()
  /// Whether a thread is there.
  private let hasBegun = AtomicWord(0)
  private let isAsked = AtomicWord(0)
  private let hasEnded = AtomicWord(0)
  /// How many pages the WAL had after the last commit here.
  private let pages = AtomicWord(0)
  private let checkpoints = AtomicWord(0)
  /// How many pages of the WAL had been moved after the last checkpoint.
  private let moved = AtomicWord(0)

  /// How long it is until the next try to move the rest; it doubles with each try.
  private static let pause = Duration.milliseconds(20)
  private static let mostTries = 10

  /// - Parameters:
  ///   - health: what is known of the WAL.
  ///   - open: opens a connection that may write.
  init(_ health: WALHealth, open: @escaping @Sendable () throws -> Connection) {
    self.health = health
    self.open = open
  }

  /// How many checkpoints it has tried.
  var count: Int { checkpoints.load() }

  /// Whether it has moved all that commits here have noted.
  var hasMovedAll: Bool { moved.load() == pages.load() }

  /// Notes how long the WAL is after a commit.
  func note(pages: Int) { self.pages.store(pages) }

  /// Asks for a checkpoint, which comes soon.
  ///
  /// It is called by one thread at a time, and doesn't wait.
  ///
  /// - Returns: false if the system has no thread left.
  func ask() -> Bool {
    isAsked.store(1)
    if hasBegun.load() == 0 {
      guard PlatformThread.start({ [self] in run() }) else { return false }
      hasBegun.store(1)
    }
    wakeUp.call()
    return true
  }

  /// Makes no more checkpoints, and closes its connection.
  ///
  /// It waits for one that is running.
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
      // Commits that go on, or somebody who reads for long, may keep the rest from being moved.
      var pause = Self.pause
      for _ in 0..<Self.mostTries {
        if checkpoint() { break }
        wakeUp.sleep(for: pause)
        if hasEnded.load() != 0 || isAsked.load() != 0 { break }
        pause *= 2
      }
    }
  }

  /// Moves what is there into the file.
  ///
  /// - Returns: whether nothing is left that could be moved.
  private func checkpoint() -> Bool {
    state.withLock { state in
      // After a failed sync the WAL may have a hole that nobody knows of.
      if state.hasEnded || health.fault != nil { return true }
      // What can't be opened is left to the commits, and a file that isn't there any more as it is.
      guard let connection = try? state.connection ?? open(),
        (try? connection.checkPlace()) != nil
      else {
        state.connection = nil
        return true
      }
      state.connection = connection
      var (length, moved): (Int32, Int32) = (0, 0)
      let code = sqlite3_wal_checkpoint_v2(
        connection.handle, "main", SQLITE_CHECKPOINT_PASSIVE, &length, &moved)
      if StorageFault.isFailedSync(code) { health.fail(connection.fault(code)) }
      self.moved.store(Int(moved))
      checkpoints.add(1)
      return code != SQLITE_OK || moved >= length
    }
  }
}
