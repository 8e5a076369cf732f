@_spi(Storage) internal import EntityStore
internal import Locking

/// The result of one query, kept up to date for all models that show it.
///
/// It isn't generic over the entity. A commit advances it once, on the committing thread. Each
/// model shows the new result in its own delivery context.
final class LiveResult: CommitObserver, SharedResult {
  typealias Core = LiveCore<ResultSnapshot, ResultFollower, Details>

  struct Details: Sendable {
    /// The commits that arrived while the first result was being read.
    var early: [(version: Int64, delta: ResultDelta)] = []
    /// The whole results that had to be read in that time; the last one counts.
    var earlyWholes: [ResultSnapshot] = []
    /// The number of rows that are kept beyond those that windows may show, on each side.
    var reserve = 0
    /// The place of the rows, if only the rows that windows show are kept.
    ///
    /// It is set after a row outside the windows couldn't be read. Then there is no reserve, and no
    /// other window joins.
    var exactPlace: NearRows.Place?
    /// True if the window has been moved among the kept rows since they were read.
    var hasMoved = false
    /// The window that stays around a row, if there is one.
    ///
    /// Such a result has one follower, which shows this window.
    var window: ResultWindow?
    /// The work for a commit that has seen `window`, until it is installed.
    ///
    /// Only that work keeps the object alive. So this is nil again if the commit fails.
    weak var preparing: Preparation?

    var isPreparing: Bool { preparing != nil }
  }

  /// A mark of the work for a commit, which exists as long as the work may still be done.
  final class Preparation: Sendable {}

  /// The rows of a query that are kept.
  enum Source: Sendable {
    case all
    case near(NearRows)
    case window(WindowSource)
  }

  /// The query by which the result is shared.
  ///
  /// The plan has no window, because it is the plan of the query's rows.
  let query: QueryDescription
  let core: Core
  let source: Source
  private let results: LiveResults
  /// Set to 1 when a commit could not be read, so that the next commit reads the whole result.
  let staleness = AtomicWord(0)
  /// The entry by which the store calls the result when time has passed, if it has to.
  private let timeEntry = OnceReference<TimeEntry>()
  /// The slots of the newest result's table that no row uses.
  ///
  /// `start` sets them under the lock of the state, together with the first result. Afterwards only
  /// a commit that has seen that result accesses them, while it holds the store's `installing`. The
  /// compiler can't know that.
  nonisolated(unsafe) var free = FreeSlots()

  /// - Precondition: If the query has a window, its index can keep the window up to date.
  init(_ query: QueryDescription, in store: Store, among results: LiveResults) throws {
    let plan = results.plan(of: query.unlimited)
    core = Core(plan, in: store, Details())
    if let window = WindowSource.window(of: query) {
      source = .window(try WindowSource(plan, window, in: store))
    } else {
      source = .all
    }
    self.query = query
    self.results = results
    if plan.isTimed { _ = timeEntry.set(TimeEntry(self, in: store)) }
  }

  /// Creates the result of the rows near windows, shared by `query`.
  ///
  /// It keeps `reserve` rows beyond those that windows may show, on each side. `anchor` is the row
  /// that the only window stays around, if it does.
  init(
    _ near: NearRows, reserve: Int, around anchor: WindowAnchor? = nil,
    sharedBy query: QueryDescription, in store: Store, among results: LiveResults
  ) {
    core = Core(
      near.plan, in: store,
      Details(reserve: reserve, window: anchor.map(ResultWindow.init(unfound:))))
    source = .near(near)
    self.query = query
    self.results = results
  }

  deinit { results.forget(query) }

  var plan: ResultPlan { core.plan }

  /// Registers the result, reads it at one version, and drops the commits up to that version (F1).
  func start() throws { try core.start(self) { finishStart(with: try fetch()) } }

  private func fetch() throws -> ResultSnapshot {
    switch source {
    case .all:
      return try core.store.readFirst { try plan.fetch($0, at: core.store.time.now) }
    case .near(let near):
      let (anchor, needs, reserve) = core.state.withLock {
        ($0.details.window?.anchor, near.needs($0.details.window), $0.details.reserve)
      }
      return try core.store.readFirst { reader -> ResultSnapshot in
        do {
          return try near.fetch(around: anchor, needs, reserve, reading: reader)
        } catch let error as StoreError where error.isOfOneRow && anchor != nil {
          // The window may not show that row.
          return try near.fetch(around: anchor, needs, 0, reading: reader)
        }
      }
    case .window(let source): return try source.fetch(from: core.store)
    }
  }

  /// Installs the first result, unless a later commit couldn't be read.
  private func finishStart(with first: ResultSnapshot) -> Bool {
    core.state.withLock { state in
      // The result hasn't been shown yet, so commits that arrived in the meantime become part of
      // the first result.
      var result = first
      if let whole = state.details.earlyWholes.last, whole.version > result.version {
        result = whole
      }
      state.work.fetches += 1
      if result.version < state.failedVersion { return false }
      var free = FreeSlots(of: result.table.rows)
      for commit in state.details.early where commit.version > result.version {
        ReleasePool.add(result)
        result =
          result.applying(
            result.relevant(commit.delta), version: commit.version, &free, &state.work
          ).after
      }
      ReleasePool.add(state.details)
      state.newest = result
      state.details.window = state.details.window?.moved(to: first).moved(to: result)
      wake(at: result.time?.next)
      state.failedVersion = .min
      (state.details.early, state.details.earlyWholes) = ([], [])
      self.free = free
      staleness.store(0)
      return true
    }
  }

  /// Makes the store call the result at an instant, if its conditions change with time.
  ///
  /// It is called under the lock of the state, so that the newest result decides.
  func wake(at instant: Double?) {
    if let instant { timeEntry.object?.wake(at: instant) }
  }

  /// Makes the store call the result again after what couldn't be read at an instant.
  func retry(at instant: Double) { timeEntry.object?.retry(at: instant) }

  /// The newest result, or nil while the first one is being read.
  var newest: ResultSnapshot? { core.state.withLock { $0.newest } }

  /// The version of the newest result, or 0 while the first one is being read.
  var newestVersion: Int64 { core.state.withLock { $0.newest?.version ?? 0 } }

  /// True if a commit could not be read, so that the result is an older one.
  var isStale: Bool { staleness.load() != 0 }

  /// True if only the rows that windows show are kept, because another one couldn't be read.
  var isExact: Bool { core.state.withLock { $0.details.exactPlace != nil } }

  var work: ResultWork {
    var work = core.state.withLock { $0.work }
    if case .window(let source) = source { work.add(source.index.work) }
    work.summaries = plan.summarized.load()
    work.comparisons += plan.compared.load()
    work.differences = plan.differed.load()
    return work
  }

  /// Adds a follower and returns true, unless the result has just become stale, or has just dropped
  /// the rows that others don't show.
  ///
  /// If it `isMember`, it only begins again. `begin` gets the newest result, and its window if any.
  func join(
    _ follower: ResultFollower, _ entry: ListenerEntry, again isMember: Bool,
    begin: (ResultSnapshot, ResultWindow?) -> Void
  ) -> Bool {
    var window: ResultWindow?
    return core.join(follower, entry, again: isMember) { state in
      window = state.details.window
      return isStale || state.details.exactPlace != nil
    } begin: {
      begin($0, window)
    }
  }

  /// Moves the window of the only follower to another row, if the rows around it are kept.
  ///
  /// It doesn't move a window that is too large for such a result, even if it has all rows now. It
  /// returns nil if nothing has changed, because rows have to be read.
  func moveWindow(to anchor: WindowAnchor) -> ResultWindow? {
    guard case .near(let near) = source, NearRowsLimits.of(core.store).allow(anchor) else {
      return nil
    }
    return core.state.withLock { state in
      // A commit that is prepared may drop rows that only the new window needs.
      guard !state.details.isPreparing, !isStale, state.details.window != nil,
        let newest = state.newest, let extent = newest.extent, newest.row(anchor.id) != nil
      else { return nil }
      let window = ResultWindow(anchor, in: newest)
      let position = newest.row(anchor.id).map { newest.position(of: $0) } ?? 0
      guard near.needs(window).areMet(at: position, of: newest.count, in: extent) else {
        return nil
      }
      state.details.window = window
      state.details.hasMoved = true
      return window
    }
  }
}
