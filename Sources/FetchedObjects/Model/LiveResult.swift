internal import EntityStore
internal import Locking
internal import Relays

/// The result of one query, kept up to date for all models that show it.
///
/// It knows no entity type. A commit advances it once, on the committing thread; each model shows the
/// new result in its own place.
final class LiveResult: CommitObserver, SharedResult {
  struct Member: Sendable {
    let entry: ListenerEntry
    weak var follower: ResultFollower?

    var held: HeldMember? { follower.map { HeldMember(entry: entry, follower: $0) } }
  }

  /// A model that is held while it is told.
  struct HeldMember {
    let entry: ListenerEntry
    let follower: ResultFollower
  }

  struct State: Sendable {
    /// Nil while the first result is being read.
    var newest: ResultSnapshot?
    /// The commits that came meanwhile, and the whole results that had to be read.
    ///
    /// The last of these counts, and none is dropped before: locks are held then, and rows may be freed with it.
    var early: [(version: Int64, delta: ResultDelta)] = []
    var earlyWholes: [ResultSnapshot] = []
    /// The version of the last commit that came meanwhile and couldn't be read.
    var failedVersion = Int64.min
    /// The slots of the newest result's table that no row has.
    var free = FreeSlots()
    var members: [Member] = []
    var work = ResultWork()
  }

  /// What it is the result of; the plan is that of its rows, so it knows no window.
  let query: QueryDescription
  let plan: ResultPlan
  /// Where the rows come from, if it is a window.
  let source: WindowSource?
  private let store: Store
  private let results: LiveResults
  let state = Locked(State())
  /// Set when a commit could not be read, so that the next one reads the whole result.
  let staleness = AtomicWord(0)
  private let observation = Locked<Observation?>(nil)

  /// - Precondition: a window can be kept up to date by its index.
  init(_ query: QueryDescription, in store: Store, among results: LiveResults) throws {
    let plan = results.plan(of: query.unlimited)
    self.plan = plan
    source = try WindowSource.window(of: query).map { try WindowSource(plan, $0, in: store) }
    self.query = query
    self.store = store
    self.results = results
  }

  deinit { results.forget(query) }

  /// Registers, reads the result at one version, and drops the commits up to it (F1).
  func start() throws {
    store.observe(self) { observation in
      observation.follow(plan)
      self.observation.withLock { $0 = observation }
    }
    // A commit that couldn't be read meanwhile is read with all others.
    while !finishStart(with: try fetch()) {}
    // A commit that has been read already takes its turn first, so that others show it, too (F13).
    store.waitForPublishing()
  }

  private func fetch() throws -> ResultSnapshot {
    try source?.fetch(from: store) ?? store.readFirst { try plan.fetch($0) }
  }

  /// Takes in the first result, unless a later commit couldn't be read.
  private func finishStart(with first: ResultSnapshot) -> Bool {
    // What is left out is freed when the lock is gone.
    let (isDone, _, _) = state.withLock { state -> (Bool, State?, [ResultSnapshot]) in
      // Nobody has seen the result yet, so what came meanwhile belongs to the first one.
      var result = first
      if let whole = state.earlyWholes.last, whole.version > result.version { result = whole }
      state.work.fetches += 1
      if result.version < state.failedVersion { return (false, nil, []) }
      var free = FreeSlots(of: result.table.rows)
      var work = state.work
      var leftOut: [ResultSnapshot] = []
      for commit in state.early where commit.version > result.version {
        leftOut.append(result)
        result =
          result.applying(
            result.relevant(commit.delta), version: commit.version, &free, &work
          ).after
      }
      let old = state
      state = State(newest: result, free: free, work: work)
      staleness.store(0)
      return (true, old, leftOut)
    }
    return isDone
  }

  /// The version of the newest result, or 0 while the first one is being read.
  var newestVersion: Int64 { state.withLock { $0.newest?.version ?? 0 } }

  /// Whether a commit could not be read, so that the result is an older one.
  var isStale: Bool { staleness.load() != 0 }

  /// Follows what may lead back from a commit that couldn't be read, or no more than what concerns the query.
  func follow(isStale: Bool) {
    observation.withLock { $0 }?.follow(plan, isStale: isStale)
  }

  var work: ResultWork {
    var work = state.withLock { $0.work }
    if let source { work.add(source.index.work) }
    work.summaries = plan.summarized.load()
    work.comparisons += plan.compared.load()
    work.differences = plan.differed.load()
    return work
  }

  // MARK: Members

  /// Adds a model, which begins with the newest result: it misses no later one, and gets none twice.
  ///
  /// It is called between two commits' turns.
  ///
  /// - Returns: false if the result has just become one that couldn't be kept up to date; then nothing
  ///   has happened.
  /// - Precondition: `start()` has returned.
  func join(
    _ follower: ResultFollower, _ entry: ListenerEntry, begin: (ResultSnapshot) -> Void
  ) -> Bool {
    state.withLock { state in
      if isStale { return false }
      guard let newest = state.newest else {
        preconditionFailure("A result is joined before it has been fetched")
      }
      begin(newest)
      state.members.append(Member(entry: entry, follower: follower))
      return true
    }
  }

  /// Removes a model.
  func leave(_ entry: ListenerEntry) {
    state.withLock { state in state.members.removeAll { $0.entry === entry } }
  }
}
