internal import CSQLite
internal import EntityStore
internal import Locking

/// Moves a file's log into the file on a thread of its own, so that no commit waits for it.
///
/// It has a connection of its own, opened when there is first something to move; the thread begins then, too.
/// Commits go on meanwhile, and what they add is moved once they pause: a log that has been moved whole is
/// begun anew by the next commit.
final class LogMover: Sendable {
  private struct State: @unchecked Sendable {
    // @unchecked: the connection is used under the lock only, which is held while the log is moved.
    var connection: Connection?
    var hasEnded = false
  }

  private let open: @Sendable () throws -> Connection
  private let health: LogHealth
  private let state = Locked(State())
  private let alarm = Alarm()
  /// Whether a thread is there.
  private let hasBegun = AtomicWord(0)
  private let isAsked = AtomicWord(0)
  private let hasEnded = AtomicWord(0)
  /// How many pages the log had after the last commit here.
  private let pages = AtomicWord(0)
  private let moves = AtomicWord(0)
  /// How many pages of the log had been moved after the last time.
  private let moved = AtomicWord(0)

  /// How long it is until the rest of the log is moved; it doubles with each try.
  private static let pause = Duration.milliseconds(20)
  private static let mostTries = 10

  /// - Parameters:
  ///   - health: what is known of the log.
  ///   - open: opens a connection that may write.
  init(_ health: LogHealth, open: @escaping @Sendable () throws -> Connection) {
    self.health = health
    self.open = open
  }

  /// How often it has tried to move something.
  var count: Int { moves.load() }

  /// Whether it has moved all that commits here have noted.
  var hasMovedAll: Bool { moved.load() == pages.load() }

  /// Notes how long the log is after a commit.
  func note(pages: Int) { self.pages.store(pages) }

  /// Has the log moved, soon.
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
    alarm.ring()
    return true
  }

  /// Moves nothing any more, and has the file open no longer.
  ///
  /// It waits for what is being moved.
  func end() {
    hasEnded.store(1)
    let connection = state.withLock { state in
      state.hasEnded = true
      return state.connection.take()
    }
    alarm.ring()
    if health.fault != nil || connection?.lostShare != nil { connection?.keepLog() }
    withExtendedLifetime(connection) {}
  }

  private func run() {
    while hasEnded.load() == 0 {
      guard isAsked.exchange(0) != 0 else {
        alarm.sleep()
        continue
      }
      // Commits that go on, or somebody who reads for long, may keep the rest from being moved.
      var pause = Self.pause
      for _ in 0..<Self.mostTries {
        if move() { break }
        alarm.sleep(for: pause)
        if hasEnded.load() != 0 || isAsked.load() != 0 { break }
        pause *= 2
      }
    }
  }

  /// Moves what is there.
  ///
  /// - Returns: whether nothing is left that could be moved.
  private func move() -> Bool {
    state.withLock { state in
      // After a failed sync the log may have a hole that nobody knows of.
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
      if connection.isFailedSync(code) { health.fail(connection.fault(code)) }
      self.moved.store(Int(moved))
      moves.add(1)
      return code != SQLITE_OK || moved >= length
    }
  }
}
