internal import CSQLite
internal import EntityStore

// SQLite's own checkpoint at the end of a commit keeps its errors to itself, and the commit waits for it.
// After a sync that failed, the system may take what wasn't written for written; under `.normal` the log then
// has a hole that nobody knows of, and pages moved out of it would be the only copy. So we have the log moved,
// and look.
extension Connection {
  /// Has the length of the log noted after each commit, in the place of SQLite's own checkpoint.
  func watchLog() throws {
    sqlite3_wal_hook(
      handle,
      { context, _, _, pages in
        guard let context else { return SQLITE_OK }
        Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue().log.length = pages
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
    // A log that was long once, such as after an import, gives its room back when it is begun anew.
    try execute("PRAGMA journal_size_limit = \(LogLength.mostBytes)")
  }

  /// Has the log moved into the file if it has grown long: by another thread, and here if that doesn't keep up.
  func moveLogIfLong() {
    logMover?.note(pages: Int(log.length))
    switch log.measure() {
    case .nothing: return
    case .ask: if logMover?.ask() == true { return }
    case .move: break
    }
    moveLog()
  }

  /// Moves the log.
  ///
  /// What fails for another reason than a sync is left for the next time: the log has it all.
  private func moveLog() {
    // The other thread may have met a fault since this commit began.
    if logHealth.fault != nil { return }
    log.moves += 1
    activity = .movingLog
    let code = sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    // That notes it.
    if isFailedSync(code) { _ = fault(code) }
  }

  /// Whether a result code may say that a sync has failed.
  func isFailedSync(_ code: Int32) -> Bool { StorageFault.isFailedSync(code) }

  /// Leaves the log as it is when this closes, though it be the last.
  func keepLog() { _ = sb_sqlite_keep_log(handle) }
}

/// How long a log is, and when it is to be moved.
struct LogLength {
  /// What is to be done.
  enum Step {
    case nothing
    /// Another thread is to move it.
    case ask
    /// The thread that commits is to move it.
    case move
  }

  /// How many bytes of a log stay when it is begun anew: with pages of 4 KB more than it has when commits move it
  /// themselves, so that it isn't made shorter and longer all the time.
  static let mostBytes = 5000 * 4120

  /// How many pages it had after the last commit.
  var length: Int32 = 0
  /// How many pages it may have before another thread moves it.
  var long: Int32 = 1000
  /// How many it may have before commits wait for that.
  var most: Int32 = 4000
  /// How often a commit has.
  var moves = 0
  /// How many pages it had when it was last asked for, and last done.
  private var asked: Int32 = 0
  private var tried: Int32 = 0

  /// What a commit is to do about it, and no more of that until it has grown a good deal.
  mutating func measure() -> Step {
    // It has been begun anew.
    if length < asked { asked = 0 }
    if length < tried { tried = 0 }
    if length >= most, length >= tried + (tried == 0 ? 0 : most / 4) {
      tried = length
      return .move
    }
    if length >= long, length - asked >= long {
      asked = length
      return .ask
    }
    return .nothing
  }
}
