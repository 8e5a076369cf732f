internal import EntityStore
internal import Locking
internal import Relays

/// The result of one query, kept up to date for all models that show it.
///
/// It knows no entity type. A commit advances it once, on the committing thread; each model shows the
/// new result in its own place.
final class LiveResult: CommitObserver, SharedResult {
  private struct Member: Sendable {
    let entry: ListenerEntry
    weak var follower: ResultFollower?
  }

  private struct State: Sendable {
    /// Nil while the first result is being read.
    var newest: ResultSnapshot?
    /// The commits that came meanwhile, and a whole result if one had to be read.
    var early: [(version: Int64, delta: ResultDelta)] = []
    var earlyWhole: ResultSnapshot?
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
  private let source: WindowSource?
  private let store: Store
  private let results: LiveResults
  private let state = Locked(State())
  /// Set when a commit could not be read, so that the next one reads the whole result.
  private let staleness = AtomicWord(0)
  private let observation = Locked<Observation?>(nil)

  /// - Precondition: a window can be kept up to date by its index.
  init(_ query: QueryDescription, in store: Store, among results: LiveResults) throws {
    source = try WindowSource.window(of: query).map { try WindowSource(query, $0, in: store) }
    plan = source?.plan ?? ResultPlan(query)
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
  }

  private func fetch() throws -> ResultSnapshot {
    try source?.fetch(from: store) ?? store.readStorage { try plan.fetch($0) }
  }

  /// Takes in the first result, unless a later commit couldn't be read.
  private func finishStart(with first: ResultSnapshot) -> Bool {
    // What is left out is freed when the lock is gone.
    let (isDone, _, _) = state.withLock { state -> (Bool, State?, [ResultSnapshot]) in
      // Nobody has seen the result yet, so what came meanwhile belongs to the first one.
      var result = first
      if let whole = state.earlyWhole, whole.version > result.version { result = whole }
      state.work.fetches += 1
      if result.version < state.failedVersion { return (false, nil, []) }
      var free = FreeSlots(of: result.table.rows)
      var work = state.work
      var leftOut: [ResultSnapshot] = []
      for commit in state.early where commit.version > result.version {
        leftOut.append(result)
        result = result.applying(
          result.relevant(commit.delta), version: commit.version, &free, &work)
      }
      let old = state
      state = State(newest: result, free: free, work: work)
      staleness.store(0)
      return (true, old, leftOut)
    }
    return isDone
  }

  /// Whether a commit could not be read, so that the result is an older one.
  var isStale: Bool { staleness.load() != 0 }

  var work: ResultWork {
    var work = state.withLock { $0.work }
    if let source { work.add(source.index.work) }
    work.summaries = plan.summarized.load()
    work.comparisons += plan.compared.load()
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

  // MARK: Following commits

  func prepare(_ commit: Commit, reading reader: any StorageReader) -> PreparedDelivery? {
    do {
      return try source.map { try prepareWindow(of: $0, commit, reading: reader) }
        ?? prepareAll(commit, reading: reader)
    } catch {
      let version = commit.version
      return PreparedDelivery { [self] in
        tellMembers(settingUp: { state in
          staleness.store(1)
          if state.newest == nil { state.failedVersion = version }
        }) { $0.append(error, version: version, from: self) }
      }
    }
  }

  private func prepareAll(
    _ commit: Commit, reading reader: any StorageReader
  ) throws -> PreparedDelivery? {
    let version = commit.version
    if isStale || commit.followsUnknown {
      return replace(by: try plan.fetch(reader))
    }
    let delta = try plan.delta(of: commit.changes, reading: reader)
    let newest = state.withLock { state in
      state.work.commits += 1
      state.work.candidates += delta.rows.count
      state.work.conditions += delta.conditions
      return state.newest
    }
    guard let newest else {
      return PreparedDelivery { [self] in install(early: delta, version: version) }
    }
    let changes = newest.relevant(delta)
    if changes.isEmpty { return nil }
    return PreparedDelivery { [self] in install(changes, after: newest, version: version) }
  }

  private func prepareWindow(
    of source: WindowSource, _ commit: Commit, reading reader: any StorageReader
  ) throws -> PreparedDelivery? {
    let version = commit.version
    let advance = try source.index.advance(commit, reading: reader)
    let newest = state.withLock { $0.newest }
    guard let newest, !isStale, !commit.followsUnknown,
      advance.map({ $0.step?.candidates != nil }) ?? true
    else {
      let index = advance?.after ?? source.index.newest
      return replace(by: try source.snapshot(of: index, reading: reader, version: version))
    }
    let step = try source.step(from: newest, advance?.step, commit.changes, reading: reader)
    guard let step else { return nil }
    return PreparedDelivery { [self] in
      install(step.changes, after: newest, extent: step.extent, version: version)
    }
  }

  private func replace(by whole: ResultSnapshot) -> PreparedDelivery {
    // The old one is held, so that it is freed when no lock is.
    let old = state.withLock { state in
      state.work.commits += 1
      state.work.fetches += 1
      return state.newest
    }
    return PreparedDelivery { [self] in withExtendedLifetime(old) { install(whole) } }
  }

  private func install(
    _ changes: [ResultChange], after newest: ResultSnapshot, extent: WindowExtent? = nil,
    version: Int64
  ) -> [ConcernedListener] {
    // Outside the lock, so that joining doesn't wait for it. Commits come one by one, so the newest
    // result is still the newest, and nobody else needs the free slots, which are taken out so that
    // they aren't copied.
    var free = FreeSlots()
    state.withLock { swap(&free, &$0.free) }
    var work = ResultWork()
    var after = newest
    if !changes.isEmpty { after = newest.applying(changes, version: version, &free, &work) }
    if let extent { after = after.placed(at: extent, version: version) }
    state.withLock { state in
      state.work.changes += work.changes
      state.work.comparisons += work.comparisons
    }
    return take(after, &free, touched: .some(changes.map(\.id)), version: version)
  }

  private func install(early delta: ResultDelta, version: Int64) -> [ConcernedListener] {
    let newest = state.withLock { state in
      if state.newest == nil { state.early.append((version, delta)) }
      return state.newest
    }
    // The first result may have been read meanwhile.
    guard let newest, version > newest.version else { return [] }
    let changes = newest.relevant(delta)
    return changes.isEmpty ? [] : install(changes, after: newest, version: version)
  }

  /// Takes in a whole result, after one that could not be kept up to date.
  private func install(_ whole: ResultSnapshot) -> [ConcernedListener] {
    staleness.store(0)
    let newest = state.withLock { state in
      if state.newest == nil { state.earlyWhole = whole }
      return state.newest
    }
    guard let newest, whole.version > newest.version else { return [] }
    var free = FreeSlots(of: whole.table.rows)
    return take(whole, &free, touched: .all, version: whole.version)
  }

  private func take(
    _ after: ResultSnapshot, _ free: inout FreeSlots, touched: TouchedObjects, version: Int64
  ) -> [ConcernedListener] {
    let step = ResultStep(version: version, after: after, touched: touched)
    return tellMembers(settingUp: { state in
      state.newest = after
      swap(&state.free, &free)
    }) { $0.append(step, from: self) }
  }

  private func tellMembers(
    settingUp setUp: (inout State) -> Void, _ body: (ResultFollower) -> ResultFollower.Taken
  ) -> [ConcernedListener] {
    // Given to the committing thread, which holds them until no lock is: the last holder of a
    // follower runs its deinit.
    let members = state.withLock { state in
      setUp(&state)
      return state.members.compactMap { member in
        member.follower.map { (member.entry, $0) }
      }
    }
    return members.map { entry, follower in
      let taken = body(follower)
      return ConcernedListener(taken.hasNews ? entry : nil, follower, freeing: taken.leftOut)
    }
  }
}
