internal import EntityStore
internal import Locking
internal import Relays

/// Keeps the result of one query up to date.
///
/// It knows no entity type; the model is its typed face.
final class ResultFollower: CommitObserver {
  private struct State: Sendable {
    /// Nil while the first result is being read.
    var timeline: Timeline<ResultSnapshot>?
    /// The commits that came meanwhile, and a whole result if one had to be read.
    var early: [(version: Int64, delta: ResultDelta)] = []
    var earlyWhole: ResultSnapshot?
    /// The slots of the newest result's table that no row has.
    var free = FreeSlots()
  }

  let plan: ResultPlan
  private let queue: DeliveryQueue?
  private let policy: DeliveryPolicy
  private let state = Locked(State())
  /// Set when a commit could not be read, so that the next one reads the whole result.
  private let isStale = AtomicWord(0)
  private let observation = Locked<Observation?>(nil)
  private let tell: @Sendable (Timeline<ResultSnapshot>.Event) -> Void
  private let report: @Sendable (any Error) -> Void

  /// A follower that calls `tell` with each event and `report` with each error, in its place.
  init(
    _ plan: ResultPlan, delivery: Delivery, policy: DeliveryPolicy?,
    tell: @escaping @Sendable (Timeline<ResultSnapshot>.Event) -> Void,
    report: @escaping @Sendable (any Error) -> Void
  ) {
    self.plan = plan
    self.tell = tell
    self.report = report
    queue = delivery.queue
    self.policy = policy ?? .standard(for: delivery)
  }

  /// Registers, reads the result at one version, and drops the commits up to it (F1).
  func start(in store: Store) throws {
    store.observe(self) { observation in
      observation.follow(plan.entities)
      self.observation.withLock { $0 = observation }
    }
    let first = try store.readStorage { try plan.fetch($0) }
    state.withLock { state in
      // Nobody has seen the model yet, so what came meanwhile belongs to its first result.
      var result = first
      if let whole = state.earlyWhole, whole.version > result.version { result = whole }
      var free = FreeSlots(of: result.table.rows)
      for commit in state.early where commit.version > result.version {
        result = result.applying(
          result.relevant(commit.delta), version: commit.version, &free)
      }
      state = State(timeline: Timeline(result, policy: policy), free: free)
    }
  }

  /// The result as it is shown now.
  ///
  /// - Precondition: `start(in:)` has returned.
  var shown: ResultSnapshot {
    guard let shown = state.withLock({ $0.timeline?.shown }) else {
      preconditionFailure("A result is read before it has been fetched")
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
      let delta = try plan.delta(of: commit.changes, reading: reader)
      if let newest, newest.relevant(delta).isEmpty { return nil }
      return delivery(of: version) { $0.install(delta, version: version) }
    } catch {
      isStale.store(1)
      return PreparedDelivery(
        queue: queue, install: {}, show: {}, tell: { [weak self] in self?.report(error) })
    }
  }

  private var newest: ResultSnapshot? { state.withLock { $0.timeline?.newest } }

  private func delivery(
    of version: Int64, install: @escaping @Sendable (ResultFollower) -> Void
  ) -> PreparedDelivery {
    PreparedDelivery(
      queue: queue,
      install: { [weak self] in
        if let self { install(self) }
      },
      show: { [weak self] in self?.show(version) },
      tell: { [weak self] in self?.tellAll() })
  }

  private func install(_ delta: ResultDelta, version: Int64) {
    let (newest, free) = state.withLock { state -> (ResultSnapshot?, FreeSlots) in
      if state.timeline == nil { state.early.append((version, delta)) }
      return (state.timeline?.newest, state.free)
    }
    guard let newest, version > newest.version else { return }
    let relevant = newest.relevant(delta)
    guard !relevant.isEmpty else { return }
    // Outside the lock, so that reading the model doesn't wait for it. Commits come one by one, so
    // the newest result is still the newest.
    var left = free
    let step = Timeline<ResultSnapshot>.Step(
      version: version, after: newest.applying(relevant, version: version, &left),
      touched: Set(relevant.map(\.id)))
    state.withLock { state in
      state.timeline?.append(step)
      state.free = left
    }
  }

  /// Takes in a whole result, after one that could not be kept up to date.
  private func install(_ whole: ResultSnapshot) {
    isStale.store(0)
    let newest = state.withLock { state -> ResultSnapshot? in
      if state.timeline == nil { state.earlyWhole = whole }
      return state.timeline?.newest
    }
    guard let newest, whole.version > newest.version else { return }
    let step = Timeline<ResultSnapshot>.Step(
      version: whole.version, after: whole, touched: newest.ids.union(whole.ids))
    let free = FreeSlots(of: whole.table.rows)
    state.withLock { state in
      state.timeline?.append(step)
      state.free = free
    }
  }

  private func show(_ version: Int64) {
    state.withLock { $0.timeline?.show(version) }
  }

  private func tellAll() {
    while let event = state.withLock({ $0.timeline?.popEvent() }) { tell(event) }
  }
}
