internal import EntityStore
internal import Locking
internal import Relays

/// The index-only results of a store, by query.
typealias LiveIndexes = SharedResults<LiveIndex>

/// The index-only result of one query, kept up to date for all models that show it.
///
/// It knows no entity type. A commit advances it once, on the committing thread and before the commit is
/// durable: then the version before can still be read beside the one after.
final class LiveIndex: CommitObserver, SharedResult {
  typealias Core = LiveCore<IndexSnapshot, IndexFollower, Details>

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

  struct Details: Sendable {
    var asked: Asked?
    /// Set when the index has been found not to fit the storage, so that it is read again.
    var isBroken = false
    /// The whole result of a commit that came while the first result was being read.
    var early: (index: IndexSnapshot, free: FreeSlots)?
    /// The places of the newest result's numbers that none is at.
    var free = FreeSlots()
    /// Set when a commit could not be read, so that the next one reads the whole result: the objects that
    /// have had a new number since.
    var missed: Renumbered?
    var pending: Pending?
    /// The last reading of external commits that the store hadn't taken in.
    var external: ExternalNews?
  }

  let core: Core
  private let indexes: LiveIndexes

  init(_ query: QueryDescription, in store: Store, among indexes: LiveIndexes) {
    core = Core(ResultPlan(query), in: store, Details())
    self.indexes = indexes
  }

  deinit { indexes.forget(plan.query) }

  var plan: ResultPlan { core.plan }
  var store: Store { core.store }

  /// Registers, reads the result at one version, and drops the commits up to it (F1).
  func start() throws {
    try core.start(self) {
      finishStart(with: try store.readFirst { try IndexWalk.fetch(plan, $0) })
    }
  }

  /// Installs the first result, unless a later commit couldn't be read.
  private func finishStart(with first: (index: IndexSnapshot, free: FreeSlots)) -> Bool {
    core.state.withLock { state in
      // Nobody has seen the result yet, so what came meanwhile belongs to the first one.
      var result = first
      if let early = state.details.early, early.index.version > result.index.version {
        result = early
      }
      state.work.fetches += 1
      if result.index.version < state.failedVersion { return false }
      (state.newest, state.details.free) = result
      state.details.early = nil
      state.details.missed = nil
      return true
    }
  }

  /// Whether a commit could not be read, so that the result is an older one, or it doesn't fit the storage.
  var isStale: Bool {
    core.state.withLock { $0.details.missed != nil || $0.details.isBroken }
  }

  /// Has the next commit read the whole result: another tool may have written to the file.
  func markBroken() { core.state.withLock { $0.details.isBroken = true } }

  /// The objects that have new numbers since then.
  var missed: Renumbered? { core.state.withLock { $0.details.missed } }

  var work: ResultWork { core.state.withLock { $0.work } }

  /// The newest result.
  ///
  /// - Precondition: `start()` has returned.
  var newest: IndexSnapshot {
    guard let newest = core.state.withLock({ $0.newest }) else {
      preconditionFailure("A result is read before it has been fetched")
    }
    return newest
  }

  /// Adds a follower, unless the result has just become one that couldn't be kept up to date.
  func join(
    _ follower: IndexFollower, _ entry: ListenerEntry, begin: (IndexSnapshot) -> Void
  ) -> Bool {
    core.join(follower, entry, unless: { $0.details.missed != nil }, begin: begin)
  }

  /// Waits until what a reader of a version may have seen has been taken in.
  func settle(_ version: Int64) {
    while let pending = core.state.withLock({ $0.details.pending }), pending.version <= version {
      store.waitForPublishing()
      // What is left now is of a commit that failed.
      core.state.withLock { if $0.details.pending === pending { $0.details.pending = nil } }
    }
  }
}
