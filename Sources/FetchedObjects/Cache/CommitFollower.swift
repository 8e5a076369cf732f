internal import EntityStore
internal import Locking
internal import Relays

/// Keeps a list from commits, and shows it in one place.
///
/// There is no model below it: a commit brings the old and the new values of what it changes, and the list is brought up
/// to date from these on the committing thread.
final class CommitFollower: CommitObserver, ListSource {
  typealias Event = (before: CommittedList, after: CommittedList, changes: [CommittedChange]?)
  private typealias Delta = [(id: StoredValue, new: CommittedRow?)]

  private struct Step: Sendable {
    let version: Int64
    let after: CommittedList
    /// Nil if any row may have changed.
    let changes: [CommittedChange]?
  }

  /// The newest list and its rows by their ids, which only one thread has at a time.
  private struct Newest: Sendable {
    var list: CommittedList
    var rows: [StoredValue: CommittedRow] = [:]

    init(_ list: CommittedList) {
      self.list = list
      for section in list.sections {
        for row in section.rows { rows[row.id] = row }
      }
    }

    /// Takes in what a commit brings, and gives what that changes.
    mutating func apply(_ delta: Delta, version: Int64) -> [CommittedChange] {
      var changes: [CommittedChange] = []
      for (id, new) in delta {
        let old = rows[id]
        switch (old, new) {
        case (nil, nil): continue
        case (let old?, let new?) where !new.differs(from: old): continue
        default: break
        }
        rows[id] = new
        changes.append(CommittedChange(old: old, new: new))
      }
      if !changes.isEmpty { list = list.applying(changes, version: version) }
      return changes
    }
  }

  private struct State: Sendable {
    /// Nil while the first list is being read, and while a commit is being taken in.
    var newest: Newest?
    var hasStarted = false
    /// The commits that came before the first list had been read, and the whole lists that had to be.
    ///
    /// The last of these counts, and none is dropped before: locks are held then, and rows may be freed with it.
    var early: [(version: Int64, delta: Delta)] = []
    var earlyWholes: [CommittedList] = []
    /// The version of the last commit that came meanwhile and couldn't be read.
    var failedVersion = Int64.min
    var shown: CommittedList?
    /// What has been taken in and isn't shown yet.
    var waiting = Fifo<Step>()
    var errors: [any Error] = []
  }

  private let plan: CommittedPlan
  private let queue: DeliveryQueue?
  private let state = Locked(State())
  private let observation = Locked<Observation?>(nil)
  /// Set when a commit could not be read, so that the next one reads the whole list.
  private let isStale = AtomicWord(0)
  private let showEvent: @Sendable (CommitFollower, Event) -> Void
  private let tellEvents: @Sendable () -> Void
  private let tellError: @Sendable (any Error) -> Void
  private let touched: @Sendable ([StoredValue]?) -> Void

  /// Creates a follower, which begins with `start(in:)`.
  ///
  /// - Parameters:
  ///   - plan: What is followed.
  ///   - delivery: Where the list is shown and told.
  ///   - touched: Is called on the committing thread with the ids that a commit may concern, or nil for any.
  ///   - shown: Is called with each step in the place of `delivery`, before any callback there.
  ///   - tell: Is called there when the steps that have been shown are to be told.
  ///   - error: Is called with each error, in the place of `delivery`.
  init(
    _ plan: CommittedPlan, delivery: Delivery,
    touched: @escaping @Sendable ([StoredValue]?) -> Void = { _ in },
    shown: @escaping @Sendable (CommitFollower, Event) -> Void,
    tell: @escaping @Sendable () -> Void,
    error: @escaping @Sendable (any Error) -> Void
  ) {
    self.plan = plan
    self.touched = touched
    queue = delivery.queue
    showEvent = shown
    tellEvents = tell
    tellError = error
  }

  /// Registers, reads the list at one version, and drops the commits up to it (F1).
  ///
  /// - Throws: What reading throws.
  func start(in store: Store) throws {
    let plan = plan.plan
    store.observe(self) { observation in
      observation.follow(plan)
      self.observation.withLock { $0 = observation }
    }
    var newest = Newest(try store.readFirst { try self.plan.fetch($0) })
    // What came meanwhile belongs to the first list, which nobody has seen yet. It is taken in outside the lock, so
    // again until there is nothing more.
    while let early = finishStart(newest) {
      // A commit that couldn't be read is read with all others.
      if newest.list.version < early.failedVersion {
        newest = Newest(try store.readFirst { try self.plan.fetch($0) })
      }
      if let whole = early.wholes.last, whole.version > newest.list.version {
        newest = Newest(whole)
      }
      for commit in early.commits where commit.version > newest.list.version {
        _ = newest.apply(commit.delta, version: commit.version)
      }
    }
  }

  /// Shows the first list, or gives what has come and isn't in it.
  private func finishStart(
    _ newest: Newest
  ) -> (
    commits: [(version: Int64, delta: Delta)], wholes: [CommittedList], failedVersion: Int64
  )? {
    state.withLock { state in
      if state.early.isEmpty && state.earlyWholes.isEmpty
        && newest.list.version >= state.failedVersion
      {
        isStale.store(0)
        state.shown = newest.list
        state.newest = newest
        state.hasStarted = true
        return nil
      }
      defer {
        state.early = []
        state.earlyWholes = []
      }
      return (state.early, state.earlyWholes, state.failedVersion)
    }
  }

  /// The list as it is shown now.
  ///
  /// - Precondition: `start(in:)` has returned.
  var shown: CommittedList {
    guard let shown = state.withLock({ $0.shown }) else {
      preconditionFailure("A tracked list is read before it has been fetched")
    }
    return shown
  }

  // MARK: Following commits

  func prepare(_ commit: Commit, reading reader: any StorageReader) -> PreparedDelivery? {
    let version = commit.version
    do {
      if isStale.load() != 0 || commit.followsUnknown {
        let whole = try plan.fetch(reader)
        return delivery(of: version) { $0.install(whole) }
      }
      let delta = try plan.delta(of: commit, reading: reader)
      if delta.isEmpty { return nil }
      return delivery(of: version) { $0.install(delta, version: version) }
    } catch {
      return delivery(of: version) { follower in
        follower.state.withLock { state in
          follower.isStale.store(1)
          if state.hasStarted { state.errors.append(error) } else { state.failedVersion = version }
        }
      }
    }
  }

  func prepare(_ error: any Error, after version: Int64) -> PreparedDelivery? {
    delivery(of: version) { follower in
      follower.state.withLock { if $0.hasStarted { $0.errors.append(error) } }
    }
  }

  private func delivery(
    of version: Int64, install: @escaping @Sendable (CommitFollower) -> Void
  ) -> PreparedDelivery {
    PreparedDelivery(
      queue: queue, install: { [weak self] in if let self { install(self) } },
      show: { [weak self] in self?.show(version) }, tell: { [weak self] in self?.tell() },
      tellsOneCommit: false)
  }

  private func install(_ delta: Delta, version: Int64) {
    let taken = state.withLock { state -> Newest? in
      guard state.hasStarted else {
        state.early.append((version, delta))
        return nil
      }
      // Taken out, so that it isn't copied; commits come one by one, so nobody else needs it meanwhile.
      return state.newest.take()
    }
    guard var newest = taken else { return }
    // The first list may have been read after the commit.
    let changes =
      version > newest.list.version ? newest.apply(delta, version: version) : []
    if !changes.isEmpty { touched(delta.map(\.id)) }
    let after = newest.list
    state.withLock { state in
      state.newest = newest
      if !changes.isEmpty {
        state.waiting.append(Step(version: version, after: after, changes: changes))
      }
    }
  }

  /// Takes in a whole list, after one that could not be kept up to date.
  private func install(_ whole: CommittedList) {
    isStale.store(0)
    touched(nil)
    let newest = Newest(whole)
    let old = state.withLock { state -> Newest? in
      guard state.hasStarted else {
        state.earlyWholes.append(whole)
        return nil
      }
      guard let old = state.newest, whole.version > old.list.version else { return nil }
      state.newest = newest
      state.waiting.append(Step(version: whole.version, after: whole, changes: nil))
      return old
    }
    _ = old
  }

  // MARK: Showing and telling

  private func show(_ version: Int64) {
    while let event = showNext(version) { showEvent(self, event) }
  }

  /// Shows the next step up to a version.
  private func showNext(_ version: Int64) -> Event? {
    state.withLock { state in
      guard let step = state.waiting.first, step.version <= version, let before = state.shown
      else { return nil }
      state.waiting.popFirst()
      state.shown = step.after
      return (before, step.after, step.changes)
    }
  }

  private func tell() {
    let errors = state.withLock { state in
      defer { state.errors = [] }
      return state.errors
    }
    for error in errors { tellError(error) }
    tellEvents()
  }
}
