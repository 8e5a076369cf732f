internal import EntityStore
internal import Locking
internal import Relays

/// The index-only result of one query, kept up to date for all models that show it.
///
/// It knows no entity type. A commit advances it once, on the committing thread and before the commit is
/// durable: then the version before can still be read beside the one after.
final class LiveIndex: CommitObserver, SharedResult {
  private struct Member: Sendable {
    let entry: ListenerEntry
    weak var follower: IndexFollower?
  }

  private struct WindowPlan: Sendable {
    weak let plan: ResultPlan?
  }

  /// A commit that is being published.
  private final class Pending: Sendable {
    let version: Int64

    init(_ version: Int64) { self.version = version }
  }

  /// What a commit makes of the result.
  struct Advance: Sendable {
    let after: IndexSnapshot
    /// From the version before; nil while the first result is being read.
    let step: IndexStep?
    fileprivate let free: FreeSlots
    fileprivate var renumbered = Renumbered()
  }

  /// What has become of the question what a commit makes of the result.
  private final class Outcome: Sendable {
    let result: Swift.Result<Advance, any Error>

    init(_ result: Swift.Result<Advance, any Error>) { self.result = result }
  }

  /// The commit that was asked about last.
  private struct Asked: Sendable {
    let attempt: Int
    /// Held by what is done about the commit, since it holds rows; nil also if nothing is.
    weak let outcome: Outcome?
  }

  private struct State: Sendable {
    var asked: Asked?
    /// Nil while the first result is being read.
    var newest: IndexSnapshot?
    /// The whole result of a commit that came meanwhile.
    var early: (index: IndexSnapshot, free: FreeSlots)?
    /// The places of the newest result's numbers that none is at.
    var free = FreeSlots()
    /// The version of the last commit that came meanwhile and couldn't be read.
    var failedVersion = Int64.min
    var members: [Member] = []
    var work = ResultWork()
    /// Set when a commit could not be read, so that the next one reads the whole result: the ids of
    /// objects that have had a new number since.
    var missed: Set<StoredValue>?
    var pending: Pending?
  }

  let plan: ResultPlan
  private let store: Store
  private let indexes: LiveIndexes
  private let state = Locked(State())
  private let observation = Locked<Observation?>(nil)
  private let windowPlans = Locked<[QueryDescription: WindowPlan]>([:])

  init(_ query: QueryDescription, in store: Store, among indexes: LiveIndexes) {
    plan = ResultPlan(query)
    self.store = store
    self.indexes = indexes
  }

  deinit { indexes.forget(plan.query) }

  /// Registers, reads the result at one version, and drops the commits up to it (F1).
  func start() throws {
    store.observe(self) { observation in
      observation.follow(plan)
      self.observation.withLock { $0 = observation }
    }
    // A commit that couldn't be read meanwhile is read with all others.
    while !finishStart(with: try store.readStorage { try IndexWalk.fetch(plan, $0) }) {}
  }

  /// Takes in the first result, unless a later commit couldn't be read.
  private func finishStart(with first: (index: IndexSnapshot, free: FreeSlots)) -> Bool {
    state.withLock { state in
      // Nobody has seen the result yet, so what came meanwhile belongs to the first one.
      var result = first
      if let early = state.early, early.index.version > result.index.version { result = early }
      state.work.fetches += 1
      if result.index.version < state.failedVersion { return false }
      (state.newest, state.free) = result
      state.early = nil
      state.missed = nil
      return true
    }
  }

  /// Whether a commit could not be read, so that the result is an older one.
  var isStale: Bool { missed != nil }

  /// The ids of objects that have new numbers since then.
  var missed: Set<StoredValue>? { state.withLock { $0.missed } }

  var work: ResultWork { state.withLock { $0.work } }

  /// The newest result.
  ///
  /// - Precondition: `start()` has returned.
  var newest: IndexSnapshot {
    guard let newest = state.withLock({ $0.newest }) else {
      preconditionFailure("A result is read before it has been fetched")
    }
    return newest
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
    _ follower: IndexFollower, _ entry: ListenerEntry, begin: (IndexSnapshot) -> Void
  ) -> Bool {
    state.withLock { state in
      if state.missed != nil { return false }
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

  /// The plan of the rows that windows of a query show; windows of equal queries share it.
  ///
  /// It is one of the result's own rows, and of what comes with them.
  func windowPlan(_ query: QueryDescription) -> ResultPlan {
    windowPlans.withLock { plans in
      if let plan = plans[query]?.plan { return plan }
      let plan = ResultPlan(query)
      plans = plans.filter { $0.value.plan != nil }
      plans[query] = WindowPlan(plan: plan)
      return plan
    }
  }

  /// Waits until what a reader of a version may have seen has been taken in.
  func settle(_ version: Int64) {
    while let pending = state.withLock({ $0.pending }), pending.version <= version {
      store.waitForPublishing()
      // What is left now is of a commit that failed.
      state.withLock { if $0.pending === pending { $0.pending = nil } }
    }
  }

  // MARK: Following commits

  func prepare(_ commit: Commit, reading reader: any StorageReader) -> PreparedDelivery? {
    guard let outcome = outcome(of: commit, reading: reader) else { return nil }
    note(commit.version)
    return PreparedDelivery { [self] in
      switch outcome.result {
      case .success(let advance): install(advance, commit.version)
      case .failure(let error): miss(commit, error)
      }
    }
  }

  /// What a commit that is being prepared makes of the result; worked out once for all who ask.
  ///
  /// Others ask after this has been: they have registered later.
  ///
  /// - Parameters:
  ///   - commit: the commit.
  ///   - reader: shows the version of the commit.
  /// - Returns: nil if it makes no difference.
  /// - Throws: what reading throws.
  func advance(_ commit: Commit, reading reader: any StorageReader) throws -> Advance? {
    try outcome(of: commit, reading: reader)?.result.get()
  }

  private func outcome(of commit: Commit, reading reader: any StorageReader) -> Outcome? {
    let asked = state.withLock { $0.asked }
    if let asked, asked.attempt == commit.attempt { return asked.outcome }
    let result = Swift.Result { try makeAdvance(commit, reading: reader) }
    var outcome: Outcome?
    switch result {
    case .success(nil): break
    case .success(let advance?): outcome = Outcome(.success(advance))
    case .failure(let error): outcome = Outcome(.failure(error))
    }
    state.withLock { $0.asked = Asked(attempt: commit.attempt, outcome: outcome) }
    return outcome
  }

  private func makeAdvance(
    _ commit: Commit, reading reader: any StorageReader
  ) throws -> Advance? {
    let (newest, missed) = state.withLock { ($0.newest, $0.missed) }
    guard let newest, missed == nil, !commit.followsUnknown else {
      return try makeWhole(commit, after: newest, missed, reading: reader)
    }
    do {
      return try makeStep(commit, after: newest, reading: reader)
    } catch is IndexOutOfStep {
      return try makeWhole(commit, after: newest, missed, reading: reader)
    }
  }

  private func makeStep(
    _ commit: Commit, after newest: IndexSnapshot, reading reader: any StorageReader
  ) throws -> Advance? {
    var (free, work) = state.withLock { ($0.free, ResultWork()) }
    work.commits = 1
    // The commit isn't durable yet, so what others read is the version before.
    let step = try store.readStorage { old -> IndexStep? in
      let changes = try plan.changes(in: commit.changes, from: old, to: reader, &work)
      if changes.isEmpty { return nil }
      return try IndexEditor.step(
        from: newest, changes, version: commit.version, old, reader, &free, &work)
    }
    state.withLock { $0.work.add(work) }
    return step.map { Advance(after: $0.after, step: $0, free: free) }
  }

  private func makeWhole(
    _ commit: Commit, after newest: IndexSnapshot?, _ missed: Set<StoredValue>?,
    reading reader: any StorageReader
  ) throws -> Advance {
    let (whole, free) = try IndexWalk.fetch(plan, reader)
    var renumbered = Renumbered()
    renumbered.ids = renumberedIDs(commit).union(missed ?? [])
    for id in renumbered.ids {
      if let number = try reader.rowNumber(of: plan.query.entity, id: id) {
        renumbered.numbers.insert(number)
      }
    }
    state.withLock { state in
      state.work.commits += 1
      state.work.fetches += 1
    }
    let step = newest.map {
      IndexStep(from: $0, to: whole, candidates: nil, renumbered: renumbered)
    }
    return Advance(after: whole, step: step, free: free, renumbered: renumbered)
  }

  /// Notes a commit before it can be read.
  private func note(_ version: Int64) {
    state.withLock { $0.pending = Pending(version) }
  }

  private func install(_ advance: Advance, _ version: Int64) -> [ConcernedListener] {
    let newest = state.withLock { state in
      if state.newest == nil { state.early = (advance.after, advance.free) }
      return state.newest
    }
    // The first result may have been read meanwhile.
    guard let newest, advance.after.version > newest.version else { return [] }
    let step =
      advance.step
      ?? IndexStep(
        from: newest, to: advance.after, candidates: nil, renumbered: advance.renumbered)
    return tellMembers { state in
      state.newest = advance.after
      state.free = advance.free
      state.missed = nil
    } body: {
      $0.append(step, version: version)
    }
  }

  /// Takes in that a commit could not be read.
  private func miss(_ commit: Commit, _ error: any Error) -> [ConcernedListener] {
    tellMembers { state in
      state.missed = (state.missed ?? []).union(renumberedIDs(commit))
      if state.newest == nil { state.failedVersion = commit.version }
    } body: {
      $0.append(error, version: commit.version)
    }
  }

  /// The ids of objects that have a new number after a commit, or may have one.
  private func renumberedIDs(_ commit: Commit) -> Set<StoredValue> {
    let entity = plan.query.entity
    var ids: Set<StoredValue> = []
    for change in commit.changes[entity]?.all ?? [] {
      guard let new = change.new else { continue }
      // A storage may write a row again whose unique key changes.
      let isSame =
        change.old.map { old in
          entity.uniqueKeys.allSatisfy { old.values(at: $0) == new.values(at: $0) }
        } ?? false
      if !isSame { ids.insert(change.id) }
    }
    return ids
  }

  private func tellMembers(
    settingUp setUp: (inout State) -> Void,
    body: (IndexFollower) -> (hasNews: Bool, leftOut: [any Sendable])
  ) -> [ConcernedListener] {
    // Given to the committing thread, which holds them until no lock is: the last holder of a
    // follower runs its deinit.
    let members = state.withLock { state in
      setUp(&state)
      return state.members.compactMap { member in
        member.follower.map { (member.entry, $0) }
      }
    }
    let listeners = members.map { entry, follower in
      let (hasNews, leftOut) = body(follower)
      return ConcernedListener(
        hasNews && !entry.place.isGone ? entry : nil, follower, freeing: leftOut)
    }
    // Only now has the commit been taken in by all who may have read it.
    state.withLock { $0.pending = nil }
    return listeners
  }
}
