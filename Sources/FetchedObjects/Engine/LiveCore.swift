internal import EntityStore
internal import Locking

/// The common part of all results that are kept up to date.
///
/// It has the newest version, the followers that show it, and the registration.
final class LiveCore<Snapshot: Sendable, Member: Follower, Details: Sendable>: Sendable {
  struct Entry: Sendable {
    /// Nil if the follower has left.
    var entry: ListenerEntry?
    weak var member: Member?
  }

  struct State: Sendable {
    /// The newest version; nil while the first result is being read.
    var newest: Snapshot?
    /// The version of the last commit that couldn't be read while the first result was being read.
    var failedVersion = Int64.min
    var work = ResultWork()
    fileprivate var members: [Entry] = []
    /// The number of places in `members` that followers have left.
    fileprivate var leftCount = 0
    /// The additional state of one kind of result.
    var details: Details
  }

  let plan: ResultPlan
  let store: Store
  /// The number of the result among all of the process.
  let serial = LiveSerial.next()
  let state: Locked<State>
  private let registration = Locked<ObserverRegistration?>(nil)

  init(_ plan: ResultPlan, in store: Store, _ details: Details) {
    self.plan = plan
    self.store = store
    state = Locked(State(details: details))
  }

  /// Registers an observer, reads the first result, and drops the commits up to it (F1).
  ///
  /// `finish` reads the result, and returns false if a later commit couldn't be read meanwhile.
  func start(_ observer: some CommitObserver, _ finish: () throws -> Bool) rethrows {
    try ReleasePool.open {
      store.observe(observer) { registration in
        registration.follow(plan)
        self.registration.withLock { $0 = registration }
      }
      // If a commit couldn't be read meanwhile, the whole result is read again.
      while try !finish() {}
    }
    // A commit that is already part of the result takes its turn first, so that other listeners
    // show it, too (F13).
    store.waitForPublishing()
  }

  /// Follows the commits that concern the query.
  ///
  /// If `isStale` is true, a commit couldn't be read. Then this also follows all commits after
  /// which the result can be read again.
  func follow(isStale: Bool) {
    registration.withLock { $0 }?.follow(plan, isStale: isStale)
  }

  /// The followers that exist.
  var members: [Member] { state.withLock { $0.members }.compactMap(\.member) }

  /// Adds a follower, which begins with the newest result, and returns true.
  ///
  /// The follower misses no later result and gets none twice. If it `isMember`, it only begins
  /// again. If the result has just become stale, nothing changes, and this returns false. The
  /// caller calls this between two commits' turns.
  ///
  /// - Precondition: `start` has returned.
  func join(
    _ member: Member, _ entry: ListenerEntry, again isMember: Bool = false,
    unless isStale: (State) -> Bool, begin: (Snapshot) -> Void
  ) -> Bool {
    state.withLock { state in
      if isStale(state) { return false }
      guard let newest = state.newest else {
        preconditionFailure("A result is joined before it has been fetched")
      }
      begin(newest)
      // A request may lead back to the result that its model has.
      if !isMember { state.members.append(Entry(entry: entry, member: member)) }
      return true
    }
  }

  func leave(_ entry: ListenerEntry) {
    state.withLock { state in
      // Screens close in either order, so it is looked for from both ends.
      var (place, last) = (0, state.members.count - 1)
      while place <= last, state.members[place].entry !== entry {
        if state.members[last].entry === entry {
          place = last
        } else {
          (place, last) = (place + 1, last - 1)
        }
      }
      if place > last { return }
      // Moving weak references takes long, so it isn't done for each follower of many.
      state.members[place] = Entry()
      state.leftCount += 1
      if 2 * state.leftCount < state.members.count { return }
      state.members.removeAll { $0.entry == nil }
      state.leftCount = 0
    }
  }

  /// Changes the state, adds to the pending changes of each follower, and returns the entries of
  /// those for which `append` returns true, because they have something to deliver.
  func update(
    _ change: (inout State) -> Void, append: (Member) -> Bool
  ) -> ContiguousArray<ListenerEntry> {
    var only: (entry: ListenerEntry, member: Member)?
    let several = state.withLock { state -> ContiguousArray<(ListenerEntry, Member)> in
      change(&state)
      if state.members.count == 1 {
        if let entry = state.members[0].entry {
          only = state.members[0].member.map { (entry, $0) }
        }
        return []
      }
      var held: ContiguousArray<(ListenerEntry, Member)> = []
      held.reserveCapacity(state.members.count)
      for one in state.members {
        if let entry = one.entry, let member = one.member { held.append((entry, member)) }
      }
      return held
    }
    // The pool keeps the followers: releasing the last reference to one runs its deinit.
    if let only {
      ReleasePool.add(only.member)
      return append(only.member) ? [only.entry] : []
    }
    ReleasePool.add(several)
    var entries: ContiguousArray<ListenerEntry> = []
    entries.reserveCapacity(several.count)
    for (entry, member) in several where append(member) { entries.append(entry) }
    return entries
  }
}
