internal import EntityStore
internal import Locking
internal import Relays

/// Keeps the result of one query up to date.
///
/// It knows no entity type; the model is its typed face.
final class ResultFollower: CommitObserver {
  /// What happens in the first moments, and then for good.
  private enum State: Sendable {
    /// The first result is being read; these commits came meanwhile.
    case starting([(version: Int64, delta: ResultDelta)])
    case following(Timeline<ResultSnapshot>)
  }

  let plan: ResultPlan
  private let queue: DeliveryQueue?
  private let policy: DeliveryPolicy
  private let state = Locked(State.starting([]))
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
    if case .queue(let queue) = delivery.place { self.queue = queue } else { queue = nil }
    self.policy = policy ?? (delivery.isImmediate ? .each : .latest)
  }

  /// Registers, reads the result at one version, and drops the commits up to it (F1).
  func start(in store: Store) throws {
    store.observe(self) { observation in
      observation.follow(plan.entities)
      self.observation.withLock { $0 = observation }
    }
    let first = try store.readStorage { try plan.fetch($0) }
    state.withLock { state in
      var timeline = Timeline(first, policy: policy)
      if case .starting(let early) = state {
        // Nobody has seen the model yet, so these belong to its first result.
        var result = first
        for commit in early where commit.version > first.version {
          result = result.applying(result.relevant(commit.delta), version: commit.version)
        }
        timeline = Timeline(result, policy: policy)
      }
      state = .following(timeline)
    }
  }

  /// The result as it is shown now.
  var shown: ResultSnapshot? {
    state.withLock { state in
      if case .following(let timeline) = state { timeline.shown } else { nil }
    }
  }

  // MARK: Following commits

  func prepare(_ commit: Commit, reading reader: any StorageReader) -> PreparedDelivery? {
    let version = commit.version
    do {
      if isStale.load() != 0 {
        let whole = try plan.fetch(reader)
        return delivery(of: version) { $0.install(whole) }
      }
      let delta = try plan.delta(of: commit.changes, reading: reader)
      if let newest, newest.relevant(delta).rows.isEmpty { return nil }
      return delivery(of: version) { $0.install(delta, version: version) }
    } catch {
      isStale.store(1)
      return PreparedDelivery(
        queue: queue, install: {}, show: {}, tell: { [weak self] in self?.report(error) })
    }
  }

  private var newest: ResultSnapshot? {
    state.withLock { state in
      if case .following(let timeline) = state { timeline.newest } else { nil }
    }
  }

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
    let newest = state.withLock { state -> ResultSnapshot? in
      switch state {
      case .starting(let early):
        state = .starting(early + [(version, delta)])
        return nil
      case .following(let timeline): return timeline.newest
      }
    }
    guard let newest, version > newest.version else { return }
    let relevant = newest.relevant(delta)
    guard !relevant.rows.isEmpty else { return }
    // Outside the lock, so that reading the model doesn't wait for it. Commits come one by one, so
    // the newest result is still the newest.
    append(
      .init(
        version: version, after: newest.applying(relevant, version: version),
        touched: Set(relevant.rows.keys)))
  }

  private func append(_ step: Timeline<ResultSnapshot>.Step) {
    state.withLock { state in
      guard case .following(var timeline) = state else { return }
      timeline.append(step)
      state = .following(timeline)
    }
  }

  /// Takes in a whole result, after one that could not be kept up to date.
  private func install(_ whole: ResultSnapshot) {
    isStale.store(0)
    guard let newest else { return }
    var touched: Set<StoredValue> = []
    newest.rows.forEach { id, _ in touched.insert(id) }
    whole.rows.forEach { id, _ in touched.insert(id) }
    append(.init(version: whole.version, after: whole, touched: touched))
  }

  private func show(_ version: Int64) {
    state.withLock { state in
      guard case .following(var timeline) = state else { return }
      timeline.show(version)
      state = .following(timeline)
    }
  }

  private func tellAll() {
    while let event = popEvent() { tell(event) }
  }

  private func popEvent() -> Timeline<ResultSnapshot>.Event? {
    state.withLock { state in
      guard case .following(var timeline) = state else { return nil }
      let event = timeline.popEvent()
      state = .following(timeline)
      return event
    }
  }
}
