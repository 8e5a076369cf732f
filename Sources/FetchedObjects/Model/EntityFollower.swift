internal import EntityStore
internal import Locking
internal import Relays

/// Keeps one object up to date.
///
/// It knows no entity type; `ObservedEntity` is its typed face.
final class EntityFollower: CommitObserver {
  /// The object's row, or its last one.
  struct Content: Sendable {
    let row: ResultRow
    let isDeleted: Bool

    func differs(from other: Content) -> Bool {
      isDeleted != other.isDeleted || row.differs(from: other.row)
    }
  }

  let plan: ResultPlan
  private let id: StoredValue
  private let queue: DeliveryQueue?
  private let policy: DeliveryPolicy
  /// Nil until the object has been read.
  private let timeline = Locked<Timeline<Content>?>(nil)
  private let observation = Locked<Observation?>(nil)
  private let tell: @Sendable (Timeline<Content>.Event) -> Void
  private let report: @Sendable (any Error) -> Void

  init(
    _ id: StoredValue, _ plan: ResultPlan, delivery: Delivery, policy: DeliveryPolicy?,
    tell: @escaping @Sendable (Timeline<Content>.Event) -> Void,
    report: @escaping @Sendable (any Error) -> Void
  ) {
    self.id = id
    self.plan = plan
    self.tell = tell
    self.report = report
    queue = delivery.queue
    self.policy = policy ?? .standard(for: delivery)
  }

  /// Registers and reads the object between two commits.
  ///
  /// A read by id is short enough to hold up a commit for.
  func start(in store: Store) throws {
    try store.observe(self) { observation in
      self.observation.withLock { $0 = observation }
      return try store.readStorage { reader in
        guard let content = try Self.content(id, plan, reading: reader) else {
          throw StoreError.notFound(ObjectID(entityName: plan.query.entity.name, id: id))
        }
        observation.follow(try Self.watched(id, plan, reading: reader))
        timeline.withLock { $0 = Timeline(content, policy: policy) }
      }
    }
  }

  /// What is shown now.
  ///
  /// - Precondition: `start(in:)` has returned.
  var shown: Content {
    guard let shown = timeline.withLock({ $0?.shown }) else {
      preconditionFailure("An object is read before it has been fetched")
    }
    return shown
  }

  private static func content(
    _ id: StoredValue, _ plan: ResultPlan, reading reader: any StorageReader
  ) throws -> Content? {
    guard let row = try reader.row(of: plan.query.entity, id: id) else { return nil }
    return try plan.row(row, reading: reader).map { Content(row: $0, isDeleted: false) }
  }

  /// The object and those that the included paths lead over: a change of any of them may be seen.
  private static func watched(
    _ id: StoredValue, _ plan: ResultPlan, reading reader: any StorageReader
  ) throws -> [(entity: EntityDescription, id: StoredValue)] {
    var watched: [(entity: EntityDescription, id: StoredValue)] = [(plan.query.entity, id)]
    guard !plan.query.included.isEmpty, let row = try reader.row(of: plan.query.entity, id: id)
    else { return watched }
    for path in plan.query.included {
      var here = row
      for step in path.steps {
        let next = here.value(at: step.column)
        if next.isNull { break }
        watched.append((step.target, next))
        guard let row = try reader.row(of: step.target, id: next) else { break }
        here = row
      }
    }
    return watched
  }

  func prepare(_ commit: Commit, reading reader: any StorageReader) -> PreparedDelivery? {
    let version = commit.version
    do {
      guard let last = timeline.withLock({ $0?.newest }) else { return nil }
      let content =
        try Self.content(id, plan, reading: reader) ?? Content(row: last.row, isDeleted: true)
      let watched = try Self.watched(id, plan, reading: reader)
      return PreparedDelivery(
        queue: queue,
        install: { [weak self] in self?.install(content, watched, version: version) },
        show: { [weak self] in self?.timeline.withLock { $0?.show(version) } },
        tell: { [weak self] in self?.tellAll() })
    } catch {
      // It isn't known what the object refers to now, so everything that may matter is followed.
      return PreparedDelivery(
        queue: queue,
        install: { [weak self] in
          if let self { observation.withLock { $0 }?.follow(plan.entities) }
        },
        show: {}, tell: { [weak self] in self?.report(error) })
    }
  }

  private func install(
    _ content: Content, _ watched: [(entity: EntityDescription, id: StoredValue)], version: Int64
  ) {
    let observation = observation.withLock { $0 }
    observation?.follow(Set<EntityDescription>())
    observation?.follow(watched)
    timeline.withLock { timeline in
      guard let newest = timeline?.newest, content.differs(from: newest) else { return }
      timeline?.append(.init(version: version, after: content, touched: []))
    }
  }

  private func tellAll() {
    while case .event(let event)? = timeline.withLock({ $0?.popNews() }) {
      // Merged commits may have led back to the same value.
      if event.after.differs(from: event.before) { tell(event) }
    }
  }
}
