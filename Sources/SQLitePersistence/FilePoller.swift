internal import EntityStore
internal import Locking

/// Looks again and again whether somebody has written to a file.
///
/// SQLite says by a number, `data_version`, that a file isn't as it was; only then is the version looked
/// at. It has a connection of its own, since the number means something to the connection alone.
final class FilePoller: Sendable {
  /// The connection is used under the lock only.
  private struct State: @unchecked Sendable {
    var connection: Connection?
    /// Asks the file's number; prepared once, since most looks do nothing else.
    var question: Statement?
    /// The file's number when what it told of was last taken in.
    var seen: Int64?
    var hasEnded = false
    var task: Task<Void, Never>?
  }

  /// What a look has found.
  private struct News {
    let version: Int64
    let number: Int64
  }

  private let path: String
  private let intervals: FileWatching.Intervals
  private let body: @Sendable (_ version: Int64) async throws -> Bool
  private let state = Locked(State())

  init(
    path: String, _ intervals: FileWatching.Intervals,
    _ body: @escaping @Sendable (_ version: Int64) async throws -> Bool
  ) {
    self.path = path
    self.intervals = intervals
    self.body = body
  }

  /// Begins to look.
  func start() {
    let task = Task.detached { [self] in await run() }
    state.withLock { $0.task = task }
  }

  /// Looks no more, and has the file open no longer.
  func end() {
    let (connection, task) = state.withLock { state in
      state.hasEnded = true
      state.question = nil
      return (state.connection.take(), state.task.take())
    }
    task?.cancel()
    withExtendedLifetime(connection) {}
  }

  private func run() async {
    var last = ContinuousClock.now - .seconds(2)
    while !state.withLock({ $0.hasEnded }) {
      if let news = look() {
        // What couldn't be taken in is tried again.
        if let isNew = try? await body(news.version) {
          state.withLock { $0.seen = news.number }
          if isNew { last = .now }
        }
      }
      let isBusy = ContinuousClock.now - last < .seconds(1)
      try? await Task.sleep(for: isBusy ? intervals.busy : intervals.idle)
    }
  }

  /// The version, if the file isn't as it was; nil if it is, or can't be read.
  private func look() -> News? {
    state.withLock { state in
      if state.hasEnded { return nil }
      do {
        let connection = try state.connection ?? Connection(path: path, .readOnly)
        state.connection = connection
        // The number first: a commit between the two is looked at twice, and not missed.
        let question = try state.question ?? connection.statement("PRAGMA data_version")
        state.question = question
        var number: Int64 = 0
        try question.run { number = $0.integer(0) }
        if number == state.seen { return nil }
        return News(version: try connection.version(), number: number)
      } catch {
        return nil
      }
    }
  }
}

/// A poller that looks for as long as this is held.
final class FileWatch: Sendable {
  private let poller: FilePoller

  init(_ poller: FilePoller) {
    self.poller = poller
    poller.start()
  }

  deinit { poller.end() }
}
