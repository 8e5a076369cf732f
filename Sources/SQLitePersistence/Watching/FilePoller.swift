internal import EntityStore
internal import Locking

/// A poller that checks repeatedly if others have written to a file.
///
/// SQLite has a number, `data_version`, that shows that a file has changed. The poller reads the
/// version only if the number is different. It has its own connection, because the number has a
/// meaning only within one connection. It has its own thread, because a task that sleeps costs four
/// times as much as a thread. It starts a task only for news, good or bad. While others are quiet,
/// it mostly waits for the system to report the next write.
final class FilePoller: Sendable {
  /// The state of a poller.
  ///
  /// Its connection is used only under the lock.
  private struct State: @unchecked Sendable {
    var connection: Connection?
    /// The statement that reads the file's number.
    ///
    /// It is prepared once, because most checks do nothing else.
    var question: Statement?
    var versions: TransactionStatements?
    /// The file's number when the changes that it showed were last merged.
    var seen: Int64?
    /// The version that was read last, and its token.
    var last: (version: Int64, token: Int64)?
    /// A number that differs after another program's change of the tables.
    var schemaVersion: Int64?
    /// True if an older copy has been restored that the store can't merge.
    ///
    /// Later versions may then have numbers that the store knows.
    var hasGoneBack = false
    /// True if the version or the tables differ from those that the store knows.
    ///
    /// The store may know another version by the same number. The value is true until the store has
    /// checked.
    var isAnother = false
    var hasEnded = false
    /// True while news is being merged.
    ///
    /// No check is made meanwhile.
    var isReporting = false
    var task: Task<Void, Never>?
    /// The time at which external commits were last merged.
    ///
    /// It is long ago at first.
    var lastNews = FilePoller.longAgo
    /// The time of the last write that the system has reported and that may become news.
    var lastWrite = FilePoller.longAgo
    /// The time since which the alarm has been armed without ringing, or nil if it isn't armed.
    var armedSince: ContinuousClock.Instant?
    var nextLook = ContinuousClock.now
    var looks = 0
    var trouble = PollBackoff()

    /// Returns the time for which nothing has happened.
    func quiet(at now: ContinuousClock.Instant) -> Duration { now - max(lastNews, lastWrite) }
  }

  /// A result of a check.
  private enum News {
    case version(Int64, number: Int64)
    case fault(any Error)
  }

  /// The next action of the thread.
  private enum Step {
    case end
    case sleep(Duration?)
    case report(News)
  }

  /// The time for which a file is checked by the clock although its alarm is set.
  private static let settling = Duration.milliseconds(250)
  /// A time after which a file counts as lying still.
  private static var longAgo: ContinuousClock.Instant { .now - .seconds(86_400) }
  /// The time between two looks at whether the store is still suspended.
  private static let suspendedPause = Duration.milliseconds(50)

  private let file: DatabaseFile
  private let place: FileIdentity?
  private let gate: FileGate
  private let intervals: StorageKind.FileWatching.Intervals
  private let body: @Sendable (_ version: Int64) async throws -> Bool
  private let failed: @Sendable (any Error) -> Void
  private let state = Locked(State())
  private let wakeUp: WakeUp
  private let alarm: FileAlarm

  init(
    _ file: DatabaseFile, _ place: FileIdentity?, _ gate: FileGate,
    _ intervals: StorageKind.FileWatching.Intervals,
    _ body: @escaping @Sendable (_ version: Int64) async throws -> Bool,
    failed: @escaping @Sendable (any Error) -> Void
  ) {
    self.file = file
    self.place = place
    self.gate = gate
    self.intervals = intervals
    self.body = body
    self.failed = failed
    wakeUp = WakeUp()
    alarm = FileAlarm(file.path, wakeUp)
  }

  func start() {
    if PlatformThread.start({ [self] in run() }) { return }
    let fault = StorageFault(
      .other,
      "\(file.path): the system has no thread left to look for commits of others, so they are seen when one is "
        + "made here; end some threads and open the store again", path: file.path,
      operation: ConnectionActivity.following.description)
    let failed = failed
    // The storage's caller doesn't have the `Watch` yet.
    Task.detached { failed(StoreError.storage(fault)) }
  }

  /// Stops checking, and closes the file.
  func end() {
    let (connection, task) = state.withLock { state in
      state.hasEnded = true
      state.question = nil
      state.versions = nil
      return (state.connection.take(), state.task.take())
    }
    task?.cancel()
    alarm.disarm()
    wakeUp.call()
    withExtendedLifetime(connection) {}
  }

  private func run() {
    while true {
      switch step() {
      case .end: return
      case .sleep(let time): wakeUp.sleep(for: time)
      case .report(let news): report(news)
      }
    }
  }

  /// Checks the file, if it is time.
  private func step() -> Step {
    state.withLock { state in
      if state.hasEnded { return .end }
      if state.isReporting { return .sleep(nil) }
      let now = ContinuousClock.now
      if alarm.takeRing() {
        state.armedSince = nil
        state.lastWrite = now
        state.nextLook = now
      }
      if now < state.nextLook { return .sleep(state.nextLook - now) }
      guard gate.enterIfOpen() else { return .sleep(Self.suspendedPause) }
      defer { gate.leave() }
      // It is armed before the check, so that no write between the two is missed.
      let isArmed = intervals.needsAlarm(quietFor: state.quiet(at: now)) && alarm.arm()
      state.armedSince = isArmed ? state.armedSince ?? now : nil
      state.looks += 1
      do {
        if let news = try look(&state) {
          state.isReporting = true
          return .report(news)
        }
        state.trouble.succeed()
      } catch {
        state.armedSince = nil
        let hadOldKey = state.connection?.hasOldKey ?? false || file.key?.isChanging ?? false
        // The connection's cache may be wrong.
        close(&state)
        if hadOldKey { return .sleep(Self.suspendedPause) }
        if let error = state.trouble.fail(error, at: now) {
          state.isReporting = true
          return .report(.fault(error))
        }
      }
      return .sleep(wait(&state, now))
    }
  }

  var looks: Int { state.withLock { $0.looks } }
  var nextLook: ContinuousClock.Instant { state.withLock { $0.nextLook } }

  /// Returns the time until the next check, and notes when it is due.
  private func wait(_ state: inout State, _ now: ContinuousClock.Instant) -> Duration {
    var usual = intervals.interval(quietFor: state.quiet(at: now))
    // A write from before the alarm was set may not be committed yet.
    if let armed = intervals.armed, let since = state.armedSince, now - since > Self.settling {
      usual = armed
    }
    let interval = state.trouble.interval(usual)
    state.nextLook = now + interval
    return interval
  }

  /// Returns the version if the file has changed, or nil if it hasn't.
  private func look(_ state: inout State) throws -> News? {
    // If another file has replaced this one, it isn't read.
    if let fault = place?.fault(.following) { throw StoreError.storage(fault) }
    do {
      return try lookInside(&state)
    } catch {
      // The file may have been removed since.
      if let fault = place?.fault(.following) { throw StoreError.storage(fault) }
      throw error
    }
  }

  private func lookInside(_ state: inout State) throws -> News? {
    if state.connection?.hasOldKey ?? false { close(&state) }
    if state.connection?.hasWriterCome ?? false { close(&state) }
    let connection = try state.connection ?? open()
    state.connection = connection
    // The number is read first. A commit between the two reads is then seen twice, and not missed.
    let question = try state.question ?? connection.statement("PRAGMA data_version")
    state.question = question
    var number: Int64 = 0
    try question.run { number = $0.integer(0) }
    if number == state.seen { return nil }
    let versions = state.versions ?? TransactionStatements(connection)
    state.versions = versions
    let newest = try versions.newest()
    let last = state.last
    state.last = newest
    // The store already has this number, so -1 makes it compare.
    if last?.version == newest.version && last?.token != newest.token { state.isAnother = true }
    if let last, newest.version < last.version { state.hasGoneBack = true }
    // Tables that can't be read any more are an error, even if nobody has committed.
    let schemaVersion = try connection.schemaVersion
    if let known = state.schemaVersion, known != schemaVersion { state.isAnother = true }
    state.schemaVersion = schemaVersion
    let isToBeRead = state.isAnother || state.hasGoneBack
    return .version(isToBeRead ? -1 : newest.version, number: number)
  }

  /// Closes the connection; the next one has another number for the same contents.
  private func close(_ state: inout State) {
    state.question = nil
    state.versions = nil
    state.connection = nil
    state.seen = nil
  }

  private func open() throws -> Connection {
    let connection = try Connection(file, .readOnly)
    connection.activity = .following
    // A check keeps the store from closing, so it doesn't wait for locks.
    connection.busyHandler.limit = .zero
    return connection
  }

  /// Delivers news in a task, because it may have to wait for a writer.
  private func report(_ news: News) {
    let task = Task.detached { [self] in
      var fault: (any Error)?
      var number: Int64?
      var isNew = false
      switch news {
      case .fault(let error): failed(error)
      case .version(let version, let found):
        do {
          isNew = try await body(version)
          number = found
        } catch StoreError.storage(let fault) where fault.kind == .suspended {
          // It is tried again when the store has been resumed.
        } catch {
          // News that couldn't be merged is tried again.
          fault = state.withLock { $0.trouble.fail(error, at: .now) }
        }
      }
      if let fault { failed(fault) }
      // The task is returned, so that nothing is released under the lock.
      let task = state.withLock { state in
        let now = ContinuousClock.now
        if let number {
          state.seen = number
          state.isAnother = false
          state.trouble.succeed()
        }
        if isNew {
          state.lastNews = now
          state.hasGoneBack = false
        }
        // The write that was reported was this commit, perhaps one of this store's own.
        if number != nil { state.lastWrite = Self.longAgo }
        _ = wait(&state, now)
        state.isReporting = false
        return state.task.take()
      }
      withExtendedLifetime(task) {}
      wakeUp.call()
    }
    let isUnwanted = state.withLock { state in
      if state.isReporting { state.task = task }
      return state.hasEnded
    }
    if isUnwanted { task.cancel() }
  }
}
