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

  /// A commit that is being published.
  private final class Pending: Sendable {
    let version: Int64

    init(_ version: Int64) { self.version = version }
  }

  private struct State: Sendable {
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

  init(_ plan: ResultPlan, in store: Store, among indexes: LiveIndexes) {
    self.plan = plan
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

  // MARK: Following commits

  func prepare(_ commit: Commit, reading reader: any StorageReader) -> PreparedDelivery? {
    do {
      let (newest, missed) = state.withLock { ($0.newest, $0.missed) }
      guard let newest, missed == nil, !commit.followsUnknown else {
        return try prepareWhole(commit, reading: reader)
      }
      do {
        return try prepareStep(commit, after: newest, reading: reader)
      } catch is IndexOutOfStep {
        return try prepareWhole(commit, reading: reader)
      }
    } catch {
      note(commit.version)
      return PreparedDelivery { [self] in miss(commit, error) }
    }
  }

  private func prepareStep(
    _ commit: Commit, after newest: IndexSnapshot, reading reader: any StorageReader
  ) throws -> PreparedDelivery? {
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
    guard let step else { return nil }
    note(commit.version)
    return PreparedDelivery { [self, free] in install(step, free, commit.version) }
  }

  private func prepareWhole(
    _ commit: Commit, reading reader: any StorageReader
  ) throws -> PreparedDelivery? {
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
    note(commit.version)
    return PreparedDelivery { [self, renumbered] in
      let newest = state.withLock { state in
        if state.newest == nil { state.early = (whole, free) }
        return state.newest
      }
      guard let newest, whole.version > newest.version else { return [] }
      return install(
        IndexStep(from: newest, to: whole, candidates: nil, renumbered: renumbered), free,
        commit.version)
    }
  }

  /// Notes a commit before it can be read.
  private func note(_ version: Int64) {
    state.withLock { $0.pending = Pending(version) }
  }

  private func install(
    _ step: IndexStep, _ free: FreeSlots, _ version: Int64
  ) -> [ConcernedListener] {
    tellMembers { state in
      state.newest = step.after
      state.free = free
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

extension ResultWork {
  fileprivate mutating func add(_ other: ResultWork) {
    commits += other.commits
    candidates += other.candidates
    changes += other.changes
    comparisons += other.comparisons
  }
}
