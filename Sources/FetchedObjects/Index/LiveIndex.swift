@_spi(Storage) internal import EntityStore
internal import Locking

/// The index-only results of a store, by query.
typealias LiveIndexes = SharedResults<LiveIndex>

/// The index-only result of one query, kept up to date for all models that show it.
///
/// It isn't generic over the entity. A commit advances it once, on the committing thread and before
/// the commit can be read. At that time, both the version before and the version after can be read.
final class LiveIndex: CommitObserver, SharedResult {
  typealias Core = LiveCore<IndexSnapshot, IndexFollower, Details>

  /// A commit that is being published.
  final class Pending: Sendable {
    let version: Int64

    init(_ version: Int64) { self.version = version }
  }

  /// The effect of a commit on the result.
  struct Advance: Sendable {
    let after: IndexSnapshot
    /// The step from the version before, or nil while the first result is being read.
    let step: IndexStep?
    let free: FreeSlots
    var renumbered = Renumbered()
  }

  /// The outcome of computing a commit's effect on the result.
  final class Outcome: Sendable {
    let result: Swift.Result<Advance, any Error>

    init(_ result: Swift.Result<Advance, any Error>) { self.result = result }
  }

  /// The commit whose effect was last asked for.
  struct Asked: Sendable {
    let attempt: Int
    /// True if the commit makes a difference.
    let hasOutcome: Bool
    /// The outcome, which holds rows.
    ///
    /// Only the work that handles the commit keeps it alive; nil if there is no such work.
    weak let outcome: Outcome?
  }

  struct Details: Sendable {
    var asked: Asked?
    /// True once the index has been found not to match the storage.
    ///
    /// It is then read again.
    var isBroken = false
    /// The whole result of a commit that arrived while the first result was being read.
    var early: (index: IndexSnapshot, free: FreeSlots)?
    /// The free slots of the newest result's numbers.
    var free = FreeSlots()
    /// The objects that have had a new number since a commit could not be read.
    ///
    /// If this isn't nil, the next commit reads the whole result. If they are too many, any object
    /// may be one of them.
    var missed: Renumbered?
    var pending: Pending?
    /// The last effect that was read of external commits before the store had merged them.
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

  /// Registers the result, reads it at one version, and drops the commits up to that version (F1).
  func start() throws {
    // A change of any object may change the relevance of all.
    if let ranked = plan.query.orderings.first(where: { $0.expression.isRank }) {
      throw StoreError.notIndexable(
        entity: plan.query.entity.name, part: "the order by \(ranked.expression)")
    }
    try core.start(self) {
      finishStart(with: try store.readFirst { try IndexWalk.fetch(plan, $0) })
    }
  }

  /// Installs the first result, unless a later commit couldn't be read.
  private func finishStart(with first: (index: IndexSnapshot, free: FreeSlots)) -> Bool {
    core.state.withLock { state in
      // The result hasn't been shown yet, so commits that arrived in the meantime become part of
      // the first result.
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

  /// True if a commit could not be read, so that the result is an older one, or if the result
  /// doesn't match the storage.
  var isStale: Bool {
    core.state.withLock { $0.details.missed != nil || $0.details.isBroken }
  }

  /// Makes the next commit read the whole result, because another tool may have written to the
  /// file.
  func markBroken() { core.state.withLock { $0.details.isBroken = true } }

  /// The objects that have had a new number since a commit could not be read; nil if none failed.
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

  /// Adds a follower and returns true, unless the result has just become stale.
  func join(
    _ follower: IndexFollower, _ entry: ListenerEntry, begin: (IndexSnapshot) -> Void
  ) -> Bool {
    core.join(follower, entry, unless: { $0.details.missed != nil }, begin: begin)
  }

  /// Waits until all commits that a reader of a version may have seen are installed.
  func settle(_ version: Int64) {
    while let pending = core.state.withLock({ $0.details.pending }), pending.version <= version {
      store.waitForPublishing()
      // An entry that is still pending now belongs to a commit that failed.
      core.state.withLock { if $0.details.pending === pending { $0.details.pending = nil } }
    }
  }
}
