@_spi(Storage) public import EntityStore
internal import Locking
public import Observation
public import Relays

/// An object that follows one object of a store and keeps its values up to date.
///
///     let car = try ObservedEntity<Car>(id, in: store) { $0.owner.name }
///     let token = car.didChange.subscribe { print($0.after.year) }
///     let years = car.changes(of: \.year).subscribe { print($0.new) }
///     print(car.year, car.owner?.name ?? "nobody")
///     try car.update { $0.year += 1 }
///
/// It publishes only changes of its own object and of the included paths, and only if a value has
/// changed. When the object is deleted, it publishes that once and keeps the last value. If an
/// object with the same id is inserted again, it follows that object. A read error never ends it:
/// the error is published in `errors`, and the last value stays.
///
/// Its values and its events change together, in the delivery context chosen at creation. During a
/// callback it shows the content of that event. It can be read from any thread. It is deallocated
/// when its owner releases it. Subscriptions don't keep it alive, and a `for await` loop over one
/// ends when it is deallocated.
///
/// It can be read in `withObservationTracking`, and so in a SwiftUI view. The view is notified of
/// the next change in the same delivery context, when everything in that context shows the change.
///
/// - Complexity: A commit that doesn't touch the object or its included values costs nothing,
///   however many objects are observed. If a value of several objects is included, such as a count,
///   a commit to their entity costs a look-up.
@dynamicMemberLookup
public final class ObservedEntity<E: Entity>: Observable, Sendable {
  /// The id of the object.
  public let id: E.ID
  private let store: Store
  private let follower: EntityFollower
  let relay: Relay<ObservedEntity<E>.Event>
  let errorRelay: Relay<any Error>

  /// Follows the object with `id`.
  ///
  /// - Parameters:
  ///   - id: The object's id.
  ///   - store: The store of the object.
  ///   - delivery: The delivery context in which the value changes and subscribers are called.
  ///   - policy: One event for each commit, or one for all that wait. The default is `.every` for
  ///     `.immediate` and `.coalesced` for an actor.
  ///   - paths: The included values of related objects, one path a line.
  /// - Throws: ``/EntityStore/StoreError/notFound(_:)`` if there is no such object, or the error of
  ///   reading it.
  public convenience init(
    _ id: E.ID, in store: Store, delivery: Delivery = .immediate, policy: DeliveryPolicy? = nil,
    @Inclusion<E>.Builder including paths: (Row<E, E>) -> Inclusion<E> = { _ in Inclusion() }
  ) throws {
    try self.init(
      id, store, delivery, policy, Query<E>().including(paths).description,
      mayBeAbsent: false)
  }

  /// Follows the object with `id`, which may not exist yet.
  ///
  ///     let car = try ObservedEntity<Car>(awaiting: id, in: store)
  ///     print(car.viewIfKnown?.year ?? 0)
  ///
  /// There is no value as long as `state` is `.absent`.
  ///
  /// - Parameters:
  ///   - id: The object's id.
  ///   - store: The present or future store of the object.
  ///   - delivery: The delivery context in which the value changes and subscribers are called.
  ///   - policy: The same as in the other initialiser.
  ///   - paths: The included values of related objects, one path a line.
  /// - Throws: The error of reading the object.
  public convenience init(
    awaiting id: E.ID, in store: Store, delivery: Delivery = .immediate,
    policy: DeliveryPolicy? = nil,
    @Inclusion<E>.Builder including paths: (Row<E, E>) -> Inclusion<E> = { _ in Inclusion() }
  ) throws {
    try self.init(
      id, store, delivery, policy, Query<E>().including(paths).description,
      mayBeAbsent: true)
  }

  private init(
    _ id: E.ID, _ store: Store, _ delivery: Delivery, _ policy: DeliveryPolicy?,
    _ query: QueryDescription, mayBeAbsent: Bool
  ) throws {
    self.id = id
    self.store = store
    let relay = Relay<ObservedEntity<E>.Event>()
    let errors = Relay<any Error>()
    self.relay = relay
    errorRelay = errors
    let plan = EntityPlan.of(query, in: store)
    follower = try EntityFollower(
      E.schema.stored(id), plan, in: store, delivery: delivery, policy: policy,
      mayBeAbsent: mayBeAbsent,
      event: { event in
        guard relay.hasSubscribers, let event = ObservedEntity<E>.Event(event, plan) else { return }
        relay.send(event)
      },
      error: { errors.send($0) })
  }

  deinit { follower.end() }

  // MARK: What is shown

  /// The existence of the object.
  public var state: ObservedEntityState { follower.shown.state }

  /// True if the object has been deleted.
  public var isDeleted: Bool { state == .deleted }

  /// The object with its included values, as it is shown now.
  ///
  /// After a deletion it is the object as it was last.
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

  /// The object with its included values, as it is shown now, or nil while it is absent.
  ///
  /// After a deletion it is the object as it was last.
  public var viewIfKnown: EntityView<E>? {
    follower.shown.row.map { EntityView($0, follower.plan.included) }
  }

  /// The state and the view, without noting the read.
  var shownUnnoted: (state: ObservedEntityState, view: EntityView<E>?) {
    let shown = follower.shownUnnoted
    return (shown.state, shown.row.map { EntityView($0, follower.plan.included) })
  }

  /// The object as it is shown now.
  ///
  /// After a deletion it is the object as it was last.
  ///
  /// - Precondition: `state` isn't `.absent`.
  public var value: E { view.value }

  /// An attribute as it is shown now.
  ///
  /// If an attribute has the name of a property of this class, read it through `value`.
  ///
  /// - Precondition: `state` isn't `.absent`.
  public subscript<Value>(dynamicMember path: KeyPath<E, Value>) -> Value {
    view.result.row[path]
  }

  /// The included part of the object that a reference names, or nil if the object is missing.
  ///
  /// - Precondition: Something of the object is included, and `state` isn't `.absent`.
  public subscript<Target: Entity>(dynamicMember path: KeyPath<E, Ref<Target>>) -> EntityView<
    Target
  >? { view[dynamicMember: path] }

  /// The included part of the object that an optional reference names, or nil if the reference is
  /// nil or the object is missing.
  ///
  /// - Precondition: Something of the object is included, and `state` isn't `.absent`.
  public subscript<Target: Entity>(dynamicMember path: KeyPath<E, Ref<Target>?>) -> EntityView<
    Target
  >? { view[dynamicMember: path] }

  /// The values that are included of the objects that refer to this one.
  ///
  /// - Precondition: The values are included, and `state` isn't `.absent`.
  public subscript<Other: Entity>(dynamicMember path: KeyPath<E, Many<E, Other>>)
    -> EntityView<E>.IncludedRows<
      Other
    >
  { view[dynamicMember: path] }

  // MARK: Following

  /// A signal that sends every change of the object and of its included values.
  public var didChange: Signal<ObservedEntity<E>.Event> { relay.signal }

  /// A signal that sends read errors.
  ///
  /// The last value stays. The next commit that may concern the object reads it again.
  public var errors: Signal<any Error> { errorRelay.signal }

  /// The last read error, or nil once the object has been read again.
  public var error: (any Error)? { follower.error }

  /// Keeps the shown values until `resume()`.
  public func pause() { follower.pause() }

  /// Shows the commits since `pause()` and delivers them as one event, the net change, in the
  /// object's delivery context.
  ///
  /// Nothing is delivered if there is no change.
  public func resume() { follower.resume() }

  // MARK: Changing

  /// Changes the object, in a new commit or in the running one.
  ///
  /// The method blocks while another thread's commit runs. If the thread must not block, update the
  /// object in a ``/EntityStore/Store/commitAsync(named:_:)``.
  ///
  /// - Parameters:
  ///   - name: A name for the change that a person understands, for `undo`, which needs a
  ///     `historyLimit` above 0. Within a running commit the name has no effect.
  ///   - body: The change.
  /// - Returns: The value that `body` returns.
  /// - Throws: ``/EntityStore/StoreError``, or the error that `body` throws. If the object doesn't
  ///   exist, the error is ``/EntityStore/StoreError/notFound(_:)``.
  @discardableResult
  public func update<Result>(
    named name: String? = nil, _ body: (inout E) throws -> Result
  ) throws -> Result {
    try store.commit(named: name) { draft in try draft.update(E.self, id, body) }
  }
}
