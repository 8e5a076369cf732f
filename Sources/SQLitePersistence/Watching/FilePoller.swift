internal import EntityStore
internal import Locking

/// Looks again and again whether somebody has written to a file.
///
/// SQLite says by a number, `data_version`, that a file isn't as it was; only then is the version looked
/// at. It has a connection of its own, since the number means something to the connection alone, and a
/// thread of its own, since a task that sleeps costs four times what a thread does. A task is begun only
/// for news, good or bad.
final class FilePoller: Sendable {
  /// The connection is used under the lock only.
  private struct State: @unchecked Sendable {
    var connection: Connection?
    /// Asks the file's number; prepared once, since most looks do nothing else.
    var question: Statement?
    /// Asks for the version.
    var versions: TransactionStatements?
    /// The file's number when what it told of was last taken in.
    var seen: Int64?
    /// The version that was looked at last, and what was drawn for it.
    var last: (version: Int64, token: Int64)?
    /// A number that another program's change of the tables makes another one.
    var layout: Int64?
    /// Whether an older copy has been put back that the store can't take in: what comes after it may have numbers that
    /// the store knows.
    var hasGoneBack = false
    /// Whether the version isn't what the store knows by that number, or its tables aren't, until the store has looked.
    var isAnother = false
    var hasEnded = false
    /// Whether news is being taken in; nothing is looked for meanwhile.
    var isTelling = false
    var task: Task<Void, Never>?
    /// When others' commits were last taken in; long ago at first.
    var lastNews = ContinuousClock.now - .seconds(60)
    var nextLook = ContinuousClock.now
    var trouble = PollBackoff()
  }

  /// What a look has found.
  private enum News {
    case version(Int64, number: Int64)
    case fault(any Error)
  }

  /// What the thread does next.
  private enum Step {
    case end
    case sleep(Duration?)
    case tell(News)
  }

  private let path: String
  private let place: FileIdentity?
  private let intervals: FileWatching.Intervals
  private let body: @Sendable (_ version: Int64) async throws -> Bool
  private let failed: @Sendable (any Error) -> Void
  private let state = Locked(State())
  private let wakeUp = WakeUp()

  init(
    path: String, _ place: FileIdentity?, _ intervals: FileWatching.Intervals,
    _ body: @escaping @Sendable (_ version: Int64) async throws -> Bool,
    failed: @escaping @Sendable (any Error) -> Void
  ) {
    self.path = path
    self.place = place
    self.intervals = intervals
    self.body = body
    self.failed = failed
  }

  /// Begins to look.
  func start() {
    if PlatformThread.start({ [self] in run() }) { return }
    let fault = StorageFault(
      .other,
      "\(path): the system has no thread left to look for commits of others, so they are seen when one is "
        + "made here; end some threads and open the store again", path: path,
      operation: ConnectionActivity.following.description)
    let failed = failed
    // Whoever watches hasn't got this yet.
    Task.detached { failed(StoreError.storage(fault)) }
  }

  /// Looks no more, and has the file open no longer.
  func end() {
    let (connection, task) = state.withLock { state in
      state.hasEnded = true
      state.question = nil
      state.versions = nil
      return (state.connection.take(), state.task.take())
    }
    task?.cancel()
    wakeUp.call()
    withExtendedLifetime(connection) {}
  }

  private func run() {
    while true {
      switch step() {
      case .end: return
      case .sleep(let time): wakeUp.sleep(for: time)
      case .tell(let news): tell(news)
      }
    }
  }

  /// Looks, if it is time.
  private func step() -> Step {
    state.withLock { state in
      if state.hasEnded { return .end }
      if state.isTelling { return .sleep(nil) }
      let now = ContinuousClock.now
      if now < state.nextLook { return .sleep(state.nextLook - now) }
      do {
        if let news = try look(&state) {
          state.isTelling = true
          return .tell(news)
        }
        state.trouble.succeed()
      } catch {
        // What it has cached may be wrong, and another connection has another number.
        state.question = nil
        state.versions = nil
        state.connection = nil
        state.seen = nil
        if let error = state.trouble.fail(error, at: now) {
          state.isTelling = true
          return .tell(.fault(error))
        }
      }
      return .sleep(wait(&state, now))
    }
  }

  /// Says when the next look is due.
  private func wait(_ state: inout State, _ now: ContinuousClock.Instant) -> Duration {
    let interval = state.trouble.interval(intervals.interval(quietFor: now - state.lastNews))
    state.nextLook = now + interval
    return interval
  }

  /// The version, if the file isn't as it was; nil if it is.
  private func look(_ state: inout State) throws -> News? {
    // A file of another one's isn't looked into.
    if let fault = place?.fault(.following) { throw StoreError.storage(fault) }
    do {
      return try lookInside(&state)
    } catch {
      // It may have been taken away since.
      if let fault = place?.fault(.following) { throw StoreError.storage(fault) }
      throw error
    }
  }

  private func lookInside(_ state: inout State) throws -> News? {
    let connection = try state.connection ?? open()
    state.connection = connection
    // The number first: a commit between the two is looked at twice, and not missed.
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
    // The store knows the number, so another version of it is told as one that there can't be.
    if last?.version == newest.version && last?.token != newest.token { state.isAnother = true }
    if let last, newest.version < last.version { state.hasGoneBack = true }
    // Tables that can't be read any more are an error, though nobody has committed.
    var layout: Int64 = 0
    try connection.query("PRAGMA schema_version").run { layout = $0.integer(0) }
    if let known = state.layout, known != layout { state.isAnother = true }
    state.layout = layout
    let isToBeRead = state.isAnother || state.hasGoneBack
    return .version(isToBeRead ? -1 : newest.version, number: number)
  }

  private func open() throws -> Connection {
    let connection = try Connection(path: path, .readOnly)
    connection.activity = .following
    // The store is kept from closing for as long as a look takes.
    try connection.execute("PRAGMA busy_timeout = 0")
    return connection
  }

  /// Has news taken in, by a task: whoever writes may have to be waited for.
  private func tell(_ news: News) {
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
        } catch {
          // What couldn't be taken in is tried again.
          fault = state.withLock { $0.trouble.fail(error, at: .now) }
        }
      }
      if let fault { failed(fault) }
      // Handed out, so that nothing is freed under the lock.
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
        _ = wait(&state, now)
        state.isTelling = false
        return state.task.take()
      }
      withExtendedLifetime(task) {}
      wakeUp.call()
    }
    let isUnwanted = state.withLock { state in
      if state.isTelling { state.task = task }
      return state.hasEnded
    }
    if isUnwanted { task.cancel() }
  }
}
