public import EntityStore
internal import Locking
public import Relays

/// Follows one object.
///
///     let car = try ObservedEntity<Car>(id, in: store) { $0.owner.name }
///     let token = car.didChange.subscribe { print($0.after.year) }
///     print(car.year, car.owner?.name ?? "nobody")
///     try car.update { $0.year += 1 }
///
/// It fires only for its own object and its included paths, and only where a value has changed. When
/// the object is deleted it says so once, keeps the last value, and lives on if the id comes back.
///
/// - Complexity: a commit that doesn't touch the object costs nothing, however many are observed.
@dynamicMemberLookup
public final class ObservedEntity<E: Entity>: Sendable {
  /// The id of the object.
  public let id: E.ID
  private let store: Store
  private let follower: EntityFollower
  private let relay: Relay<ObservedEntityEvent<E>>
  private let errorRelay: Relay<any Error>

  /// Follows the object with `id`.
  ///
  /// - Parameters:
  ///   - id: the id.
  ///   - store: where the object lives.
  ///   - delivery: where the value changes and subscribers are called.
  ///   - policy: one event for each commit, or one for all that wait; by default each for
  ///     `.immediate`, the latest on an actor.
  ///   - paths: values of related objects that come with it, one path a line.
  /// - Throws: ``StoreError/notFound(_:)`` if there is no such object, or what reading it throws.
  public init(
    _ id: E.ID, in store: Store, delivery: Delivery = .immediate, policy: DeliveryPolicy? = nil,
    @InclusionBuilder<E> including paths: (Row<E, E>) -> Inclusion<E> = { _ in Inclusion() }
  ) throws {
    self.id = id
    self.store = store
    let relay = Relay<ObservedEntityEvent<E>>()
    let errors = Relay<any Error>()
    self.relay = relay
    errorRelay = errors
    let plan = ResultPlan(Query<E>().including(paths).description)
    follower = EntityFollower(
      E.schema.stored(id), plan, delivery: delivery, policy: policy,
      tell: { event in
        relay.send(
          ObservedEntityEvent(
            before: EntityView(event.before.row, plan), after: EntityView(event.after.row, plan),
            wasDeleted: event.before.isDeleted, isDeleted: event.after.isDeleted,
            versions: event.versions))
      },
      report: { errors.send($0) })
    try follower.start(in: store)
  }

  /// The object with its included values, as it is shown now; after a deletion, as it was last.
  public var view: EntityView<E> { EntityView(follower.shown.row, follower.plan) }

  /// The object as it is shown now; after a deletion, as it was last.
  public var value: E { view.value }

  /// Whether the object has been deleted.
  public var isDeleted: Bool { follower.shown.isDeleted }

  /// An attribute as it is shown now.
  public subscript<Value>(dynamicMember path: KeyPath<E, Value>) -> Value { value[keyPath: path] }

  /// The object that a reference names, as far as it is included.
  public subscript<Target: Entity>(dynamicMember path: KeyPath<E, Ref<Target>>) -> EntityView<
    Target
  >? { view[dynamicMember: path] }

  /// The object that an optional reference names, as far as it is included.
  public subscript<Target: Entity>(dynamicMember path: KeyPath<E, Ref<Target>?>) -> EntityView<
    Target
  >? { view[dynamicMember: path] }

  /// Every change of the object and of what is included with it.
  public var didChange: Signal<ObservedEntityEvent<E>> { relay.signal }

  /// Errors of reading.
  ///
  /// The last value stays.
  public var errors: Signal<any Error> { errorRelay.signal }

  /// Changes the object in a commit of its own, or of the running one.
  ///
  /// - Returns: what `body` returns.
  /// - Throws: ``StoreError``, ``StoreError/notFound(_:)`` among it if the object is deleted, or what
  ///   `body` throws.
  @discardableResult
  public func update<Result>(_ body: (inout E) throws -> Result) throws -> Result {
    try store.commit { draft in try draft.update(E.self, id, body) }
  }
}

/// What happened to an observed object.
public struct ObservedEntityEvent<E: Entity>: Sendable {
  /// The object before; if it was deleted then, as it was last.
  public let before: EntityView<E>
  /// The object after; if it is deleted now, as it was last.
  public let after: EntityView<E>
  /// Whether the object was deleted before.
  public let wasDeleted: Bool
  /// Whether the object is deleted now.
  public let isDeleted: Bool
  /// The versions of the commits that the event tells of.
  public let versions: ClosedRange<Int64>
}
