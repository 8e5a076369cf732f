internal import EntityStore
internal import Locking
internal import Relays

/// Keeps a list from commits, and shows it in one place.
///
/// There is no model below it: a commit brings the old and the new values of what it changes, and the list is brought up
/// to date from these on the committing thread.
final class CommitFollower: CommitObserver, CommitListener, ListSource {
  typealias Event = (before: CommittedList, after: CommittedList, changes: [CommittedChange]?)
  typealias Delta = [(id: StoredValue, new: CommittedRow?)]

  struct Step: Sendable {
    /// The turn of the place in which it is shown.
    let turn: Int
    let after: CommittedList
    /// Nil if any row may have changed.
    let changes: [CommittedChange]?
  }

  /// The newest list and its rows by their ids, which only one thread has at a time.
  struct Newest: Sendable {
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

  struct State: Sendable {
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
    /// What has been taken in and isn't shown yet, but for the last.
    var waiting = Fifo<Step>()
    var last: Step?
    var errors: [any Error] = []

    /// Adds a step, where the turn that ended last is the last that later ones aren't shown together with.
    ///
    /// It gives what is left out, to be freed when no lock is held.
    mutating func append(_ step: Step, ended: Int) -> [any Sendable] {
      let previous = last
      last = step
      guard let previous else { return [] }
      // Where the place has fallen behind, both are shown at one time (F12). The new step may be shown after them.
      guard let before = waiting.last, before.turn > ended else {
        waiting.append(previous)
        return []
      }
      waiting.updateLast { $0 = Step(turn: previous.turn, after: previous.after, changes: nil) }
      return [before, previous]
    }

    /// Adds an error, and gives the one that is told no more: a storage that fails for long fills no memory.
    mutating func append(_ error: any Error) -> [any Sendable] {
      errors.append(error)
      return errors.count > 16 ? [errors.removeFirst()] : []
    }

    /// Takes out all that waits, where nothing is shown any more; it is to be freed when no lock is held.
    mutating func takeWaiting() -> [any Sendable] {
      defer { (waiting, last, errors) = (Fifo(), nil, []) }
      return [waiting, last, errors]
    }

    /// Takes out the next step up to a turn.
    mutating func popStep(_ turn: Int) -> Step? {
      guard let step = waiting.first ?? last, step.turn <= turn else { return nil }
      if waiting.isEmpty { last = nil } else { waiting.popFirst() }
      return step
    }
  }

  let plan: CommittedPlan
  private let delivery: Delivery
  /// Its turn in its place.
  let listener = Locked<ListenerEntry?>(nil)
  let state = Locked(State())
  let observation = Locked<Observation?>(nil)
  /// Set when a commit could not be read, so that the next one reads the whole list.
  let isStale = AtomicWord(0)
  private let showEvent: @Sendable (CommitFollower, Event) -> Void
  private let tellEvents: @Sendable () -> Void
  private let tellError: @Sendable (any Error) -> Void
  let touched: @Sendable ([StoredValue]?) -> Void

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
    self.delivery = delivery
    showEvent = shown
    tellEvents = tell
    tellError = error
  }

  /// Registers, reads the list at one version, and drops the commits up to it (F1).
  ///
  /// An external commit that has been read already is taken in, so the caller holds no lock.
  ///
  /// - Throws: What reading throws.
  func start(in store: Store) throws {
    let plan = plan.plan
    let entry = ListenerEntry(self, delivery, .every, in: store)
    listener.withLock { $0 = entry }
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
    // A commit that has been read already takes its turn first, so that others show it, too (F13).
    store.waitForPublishing()
    try store.takingInAhead { try $0(newest.list.version) }
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

  /// How many steps wait to be shown, and how many errors to be told.
  var waitingCount: Int { state.withLock { $0.waiting.count + ($0.last == nil ? 0 : 1) } }
  var errorCount: Int { state.withLock { $0.errors.count } }

  // MARK: Showing and telling

  func show(_ turn: Int) {
    while let event = showNext(turn) { showEvent(self, event) }
  }

  /// Shows the next step up to a turn.
  private func showNext(_ turn: Int) -> Event? {
    state.withLock { state in
      guard let before = state.shown, let step = state.popStep(turn) else { return nil }
      state.shown = step.after
      return (before, step.after, step.changes)
    }
  }

  func tell() {
    let errors = state.withLock { state in
      defer { state.errors = [] }
      return state.errors
    }
    for error in errors { tellError(error) }
    tellEvents()
  }
}
