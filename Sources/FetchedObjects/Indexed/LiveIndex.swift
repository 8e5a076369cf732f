internal import EntityStore
internal import Locking
internal import Relays

/// The index-only result of one query, kept up to date for all models that show it.
///
/// It knows no entity type. A commit advances it once, on the committing thread and before the commit is
/// durable: then the version before can still be read beside the one after.
final class LiveIndex: CommitObserver, SharedResult {
  struct Member: Sendable {
    let entry: ListenerEntry
    weak var follower: IndexFollower?
  }

  /// A commit that is being published.
  final class Pending: Sendable {
    let version: Int64

    init(_ version: Int64) { self.version = version }
  }

  /// What a commit makes of the result.
  struct Advance: Sendable {
    let after: IndexSnapshot
    /// From the version before; nil while the first result is being read.
    let step: IndexStep?
    let free: FreeSlots
    var renumbered = Renumbered()
  }

  /// What has become of the question what a commit makes of the result.
  final class Outcome: Sendable {
    let result: Swift.Result<Advance, any Error>

    init(_ result: Swift.Result<Advance, any Error>) { self.result = result }
  }

  /// The commit that was asked about last.
  struct Asked: Sendable {
    let attempt: Int
    /// Whether it makes a difference.
    let hasOutcome: Bool
    /// Held by what is done about the commit, since it holds rows; gone if nothing is.
    weak let outcome: Outcome?
  }

  struct State: Sendable {
    var asked: Asked?
    /// Set when the index has been found not to fit the storage, so that it is read anew.
    var isBroken = false
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
    /// Set when a commit could not be read, so that the next one reads the whole result: the objects that
    /// have had a new number since.
    var missed: Renumbered?
    var pending: Pending?
    /// The last reading of external commits that the store hadn't taken in.
    var external: ExternalNews?
  }

  let plan: ResultPlan
  let store: Store
  private let indexes: LiveIndexes
  let state = Locked(State())
  private let observation = Locked<Observation?>(nil)

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
    while !finishStart(with: try store.readFirst { try IndexWalk.fetch(plan, $0) }) {}
    // A commit that has been read already takes its turn first, so that others show it, too (F13).
    store.waitForPublishing()
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

  /// Whether a commit could not be read, so that the result is an older one, or it doesn't fit the storage.
  var isStale: Bool { state.withLock { $0.missed != nil || $0.isBroken } }

  /// Follows what may lead back from a commit that couldn't be read, or no more than what concerns the query.
  func follow(isStale: Bool) {
    observation.withLock { $0 }?.follow(plan, isStale: isStale)
  }

  /// Has the next commit read the whole result: another tool may have written to the file.
  func markBroken() { state.withLock { $0.isBroken = true } }

  /// The objects that have new numbers since then.
  var missed: Renumbered? { state.withLock { $0.missed } }

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

  /// Waits until what a reader of a version may have seen has been taken in.
  func settle(_ version: Int64) {
    while let pending = state.withLock({ $0.pending }), pending.version <= version {
      store.waitForPublishing()
      // What is left now is of a commit that failed.
      state.withLock { if $0.pending === pending { $0.pending = nil } }
    }
  }
}
