#if PostgreSQL
@_spi(Storage) internal import EntityStore
internal import Locking

/// A thread that notices the commits of others, by notifications and by looking.
///
/// It has its own connection. A notification is only a hint: it is sent after a commit, outside the
/// transaction, and may be lost. Then the next look finds the commit.
final class ServerPoller: Sendable {
  private struct State {
    var hasEnded = false
    var hasNewsForOthers = false
    /// The last version that the store is known to have: its own last commit, or a later one that
    /// was found and merged.
    ///
    /// It outlives a connection. A server may lose versions when it ends one.
    var known: (version: Int64, token: Int64)?
    /// True if the last error has been reported.
    var hasFailed = false
    var task: Task<Void, Never>?
  }

  /// The time between two looks.
  private static let interval = Duration.milliseconds(500)
  /// The time between two notifications.
  ///
  /// A writer that commits without a pause would otherwise have each of its commits notified, by a
  /// transaction of its own.
  private static let quiet = Duration.milliseconds(5)

  private let connectionString: String
  private let schema: String
  /// The time to wait for other writers, in milliseconds.
  private let waiting: Int
  private let body: @Sendable (_ version: Int64) async throws -> Bool
  private let failed: @Sendable (any Error) -> Void
  private let state = Locked(State())
  private let wakeUp: SocketWait

  /// Creates the thread, which doesn't run yet.
  ///
  /// - Throws: ``/EntityStore/StoreError/storage(_:)`` if the process may open no more files.
  init(
    _ connectionString: String, _ schema: String, waiting: Int,
    _ body: @escaping @Sendable (_ version: Int64) async throws -> Bool,
    failed: @escaping @Sendable (any Error) -> Void
  ) throws {
    wakeUp = try SocketWait()
    self.connectionString = connectionString
    self.schema = schema
    self.waiting = waiting
    self.body = body
    self.failed = failed
  }

  func start() {
    if PlatformThread.start({ [self] in run() }) { return }
    let fault = StorageFault(
      .other,
      "The system has no thread left to look for commits of others; end some threads and open the store again"
    )
    let failed = failed
    Task.detached { failed(StoreError.storage(fault)) }
  }

  func end() {
    let task = state.withLock { state in
      state.hasEnded = true
      return state.task.take()
    }
    task?.cancel()
    wakeUp.call()
  }

  func tellOthers(of version: Int64, _ token: Int64) {
    let isFirst = state.withLock { state in
      // Before its commit, the store has merged those of others.
      state.known = (version, token)
      defer { state.hasNewsForOthers = true }
      return !state.hasNewsForOthers
    }
    if isFirst { wakeUp.call() }
  }

  private var hasEnded: Bool { state.withLock { $0.hasEnded } }

  private func run() {
    var pause = Duration.milliseconds(100)
    var isFirst = true
    while !hasEnded {
      do {
        // Versions may also be lost while there is no connection yet.
        defer { isFirst = false }
        let connection = try ServerStoreConnection(
          connectionString, schema: schema, waiting: waiting)
        connection.operation = "following other commits"
        // A notification needs no sync of its own.
        try connection.execute(
          "SET synchronous_commit = off; LISTEN \(ServerTriggers.channel(connection.place))")
        try follow(connection, isFirst: isFirst)
      } catch {
        if hasEnded { return }
        // A look that succeeds has cleared it. A connection alone doesn't, since a merge may fail
        // each time.
        if !state.withLock({ $0.hasFailed }) { pause = .milliseconds(100) }
        report(error)
        wakeUp.wait(for: nil, atMost: pause)
        pause = min(pause * 2, .seconds(5))
      }
    }
  }

  private func follow(_ connection: ServerStoreConnection, isFirst: Bool) throws {
    let clock = ContinuousClock()
    // Without a connection, versions may have been lost and made again, also those that the store
    // has merged for its own commits.
    var mayHaveLost = !isFirst || state.withLock { $0.known != nil }
    // The times of the next look, and before which no notification is sent.
    var (look, quietUntil) = (clock.now, clock.now)
    while !hasEnded {
      if clock.now >= look {
        let newest = try lookUp(connection)
        let now: (version: Int64, token: Int64) =
          newest.rowCount == 0 ? (0, 0) : (newest.integer(0, 0), newest.integer(0, 1))
        let known = state.withLock { $0.known }
        // A store at this version stops here. But versions that were merged without this thread may
        // have been lost. No store is at -1, so -1 makes every store compare its token.
        let isOther = known.map { $0.version == now.version && $0.token != now.token } ?? false
        try merge(mayHaveLost || isOther ? -1 : now.version)
        mayHaveLost = false
        look = clock.now + Self.interval
        state.withLock { state in
          // The store may have committed meanwhile.
          if state.known?.token == known?.token { state.known = now }
          // An error that was reported is over.
          state.hasFailed = false
        }
      }
      var end = look
      if state.withLock({ $0.hasNewsForOthers }) {
        if clock.now >= quietUntil {
          state.withLock { $0.hasNewsForOthers = false }
          try notify(connection)
          quietUntil = clock.now + Self.quiet
        } else {
          end = min(end, quietUntil)
        }
      }
      if try !connection.consumeNotifications() {
        wakeUp.wait(for: connection.socket, atMost: end - clock.now)
        if try !connection.consumeNotifications() { continue }
      }
      look = clock.now
    }
  }

  /// Reads the newest version, for which it may have to wait for a tool's TRUNCATE.
  private func lookUp(_ connection: ServerStoreConnection) throws -> UnsafeServerResult {
    do { return try connection.run(connection.own.newest) } catch {
      throw ServerFault.beginning(error, of: connection)
    }
  }

  /// Notifies other stores, unless another transaction is in the way.
  ///
  /// Other stores also look for new versions regularly.
  private func notify(_ connection: ServerStoreConnection) throws {
    do {
      try connection.execute("NOTIFY \(ServerTriggers.channel(connection.place))")
    } catch StoreError.storage(let fault) where fault.kind == .conflict {
    }
  }

  /// Has the store merge what can be read, and waits for it.
  private func merge(_ version: Int64) throws {
    let isDone = WakeUp()
    let result = Locked<Result<Bool, any Error>?>(nil)
    let body = body
    let task = Task.detached {
      do {
        let isNew = try await body(version)
        result.withLock { $0 = .success(isNew) }
      } catch {
        result.withLock { $0 = .failure(error) }
      }
      isDone.call()
    }
    let isUnwanted = state.withLock { state in
      state.task = task
      return state.hasEnded
    }
    if isUnwanted { task.cancel() }
    // The system may wake the thread before.
    while result.withLock({ $0 == nil }) { isDone.sleep() }
    _ = try result.withLock { $0 }?.get()
  }

  private func report(_ error: any Error) {
    let isFirst = state.withLock { state in
      defer { state.hasFailed = true }
      return !state.hasFailed
    }
    if isFirst { failed(error) }
  }
}
#endif
