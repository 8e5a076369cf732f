public import EntityStore
internal import Locking
public import Observation
public import Relays

/// Follows one object.
///
///     let car = try ObservedEntity<Car>(id, in: store) { $0.owner.name }
///     let token = car.didChange.subscribe { print($0.after.year) }
///     let years = car.changes(of: \.year).subscribe { print($0.new) }
///     print(car.year, car.owner?.name ?? "nobody")
///     try car.update { $0.year += 1 }
///
/// It fires only for its own object and its included paths, and only where a value has changed. When
/// the object is deleted it says so once, keeps the last value, and lives on if the id comes back.
/// An error of reading never ends it: it is in `errors`, and the last value stays.
///
/// What it shows and what it tells change together, in the place chosen at creation; during a
/// callback it shows the content of that event. It can be read from any thread. It goes when its
/// owner drops it; subscriptions don't keep it alive, and a `for await` loop over one then ends.
///
/// What it shows can be read in `withObservationTracking`, and so in a SwiftUI view, which is then
/// told of the next change, in the same place, when everything there shows it.
///
/// - Complexity: a commit that doesn't touch the object or what is included with it costs nothing,
///   however many are observed.
@dynamicMemberLookup
public final class ObservedEntity<E: Entity>: Observable, Sendable {
  /// The id of the object.
  public let id: E.ID
  private let store: Store
  private let follower: EntityFollower
  let relay: Relay<ObservedEntityEvent<E>>
  let errorRelay: Relay<any Error>

  /// Follows the object with `id`.
  ///
  /// - Parameters:
  ///   - id: the id.
  ///   - store: where the object lives.
  ///   - delivery: where the value changes and subscribers are called.
  ///   - policy: one event for each commit, or one for all that wait; by default each for
  ///     `.immediate`, the latest on an actor.
  ///   - paths: values of related objects that come with it, one path a line.
  /// - Throws: ``/EntityStore/StoreError/notFound(_:)`` if there is no such object, or what reading it throws.
  public convenience init(
    _ id: E.ID, in store: Store, delivery: Delivery = .immediate, policy: DeliveryPolicy? = nil,
    @InclusionBuilder<E> including paths: (Row<E, E>) -> Inclusion<E> = { _ in Inclusion() }
  ) throws {
    try self.init(
      id, store, delivery, policy, Query<E>().including(paths).description.included,
      mayBeAbsent: false)
  }

  /// Follows the object with `id`, which need not be there yet.
  ///
  ///     let car = try ObservedEntity<Car>(awaiting: id, in: store)
  ///     print(car.viewIfKnown?.year ?? 0)
  ///
  /// As long as `state` is `.absent` there is no value.
  ///
  /// - Parameters:
  ///   - id: the id.
  ///   - store: where the object lives, or will.
  ///   - delivery: where the value changes and subscribers are called.
  ///   - policy: as in the other initialiser.
  ///   - paths: values of related objects that come with it, one path a line.
  /// - Throws: what reading throws.
  public convenience init(
    awaiting id: E.ID, in store: Store, delivery: Delivery = .immediate,
    policy: DeliveryPolicy? = nil,
    @InclusionBuilder<E> including paths: (Row<E, E>) -> Inclusion<E> = { _ in Inclusion() }
  ) throws {
    try self.init(
      id, store, delivery, policy, Query<E>().including(paths).description.included,
      mayBeAbsent: true)
  }

  private init(
    _ id: E.ID, _ store: Store, _ delivery: Delivery, _ policy: DeliveryPolicy?,
    _ paths: [AttributePath], mayBeAbsent: Bool
  ) throws {
    self.id = id
    self.store = store
    let relay = Relay<ObservedEntityEvent<E>>()
    let errors = Relay<any Error>()
    self.relay = relay
    errorRelay = errors
    let plan = EntityPlans.plan(E.schema.entity, including: paths, in: store)
    follower = try EntityFollower(
      E.schema.stored(id), plan, in: store, delivery: delivery, policy: policy,
      mayBeAbsent: mayBeAbsent,
      event: { event in
        guard relay.hasSubscribers, let event = ObservedEntityEvent<E>(event, plan) else { return }
        relay.send(event)
      },
      error: { errors.send($0) })
  }

  deinit { follower.end() }

  // MARK: What is shown

  /// Whether the object is there.
  public var state: ObservedEntityState { follower.shown.state }

  /// Whether the object has been deleted.
  public var isDeleted: Bool { state == .deleted }

  /// The object with its included values, as it is shown now; after a deletion, as it was last.
  ///
  /// - Precondition: `state` isn't `.absent`.
  public var view: EntityView<E> {
    guard let view = viewIfKnown else {
      mistake(
        "\(E.entityName)(\(id)) is awaited and has no value yet; look at state or viewIfKnown first"
      )
    }
    return view
  }

  /// The object with its included values, as it is shown now; after a deletion, as it was last; nil
  /// while it is absent.
  public var viewIfKnown: EntityView<E>? {
    follower.shown.row.map { EntityView($0, follower.plan.included) }
  }

  /// The state and the view, without noting that they are read.
  var shownUnnoted: (state: ObservedEntityState, view: EntityView<E>?) {
    let shown = follower.shownUnnoted
    return (shown.state, shown.row.map { EntityView($0, follower.plan.included) })
  }

  /// The object as it is shown now; after a deletion, as it was last.
  ///
  /// - Precondition: `state` isn't `.absent`.
  public var value: E { view.value }

  /// An attribute as it is shown now.
  ///
  /// One that is named like a property of this class is read through `value`.
  ///
  /// - Precondition: `state` isn't `.absent`.
  public subscript<Value>(dynamicMember path: KeyPath<E, Value>) -> Value {
    view.result.row[path]
  }

  /// The object that a reference names, as far as it is included; nil if it is missing.
  ///
  /// - Precondition: something of it is included, and `state` isn't `.absent`.
  public subscript<Target: Entity>(dynamicMember path: KeyPath<E, Ref<Target>>) -> EntityView<
    Target
  >? { view[dynamicMember: path] }

  /// The object that an optional reference names, as far as it is included; nil if the reference is nil or the
  /// object is missing.
  ///
  /// - Precondition: something of it is included, and `state` isn't `.absent`.
  public subscript<Target: Entity>(dynamicMember path: KeyPath<E, Ref<Target>?>) -> EntityView<
    Target
  >? { view[dynamicMember: path] }

  // MARK: Following

  /// Every change of the object and of what is included with it.
  public var didChange: Signal<ObservedEntityEvent<E>> { relay.signal }

  /// Errors of reading.
  ///
  /// The last value stays, and the next commit that may concern the object reads it anew.
  public var errors: Signal<any Error> { errorRelay.signal }

  /// The last error of reading, until the object could be read again.
  public var error: (any Error)? { follower.error }

  /// Keeps what is shown until `resume()`.
  public func pause() { follower.pause() }

  /// Shows what has come since `pause()` and tells it as one event, the net change, in the place
  /// where the object is delivered; if there is none, nothing is told.
  public func resume() { follower.resume() }

  // MARK: Changing

  /// Changes the object in a commit of its own, or of the running one.
  ///
  /// It waits, blocked, for a commit that runs on another thread. Where waiting must not block, update the
  /// object in a ``/EntityStore/Store/commitAsync(named:_:)``.
  ///
  /// - Parameters:
  ///   - name: what a person would call the change, for `undo`, which needs a `historyLimit` above 0; of the
  ///     running commit it names nothing.
  ///   - body: what to change.
  /// - Returns: what `body` returns.
  /// - Throws: ``/EntityStore/StoreError``, ``/EntityStore/StoreError/notFound(_:)`` among it if the object isn't there, or what
  ///   `body` throws.
  @discardableResult
  public func update<Result>(
    named name: String? = nil, _ body: (inout E) throws -> Result
  ) throws -> Result {
    try store.commit(named: name) { draft in try draft.update(E.self, id, body) }
  }
}
