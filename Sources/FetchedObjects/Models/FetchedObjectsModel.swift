@_spi(Storage) public import EntityStore
public import ListDiffing
internal import Locking
public import Relays

/// A model that keeps the sorted, sectioned result of a query up to date and publishes the exact
/// changes.
///
///     let cars = try FetchedObjectsModel(query, in: store, delivery: .mainActor)
///     let token = cars.didChange.subscribe(on: .mainActor) { event in
///       table.performBatchUpdates(event) { shown = event.after }
///     }
///
/// The result is available when `init` returns. Then, under `.every`, each commit that affects it
/// makes one event. If the query has conditions of time, such as `$0.due < .now(adding: …)`, so
/// does each boundary that passes by the clock of the store. Under `.coalesced`, waiting events are
/// merged. During a callback the model shows the result of that event, even if the store already
/// has a later version. The result and the events change together, in the delivery context chosen
/// at creation. An error never ends the model: the last result stays.
///
/// ``ListModel`` has what it shares with other lists: the snapshot and its sections, the signals,
/// Observation, and lists that are derived from it.
///
/// The model is deallocated when its owner releases it. Subscriptions don't keep it alive.
///
/// - Complexity: A commit costs O(*k* log *n*), where *k* is the number of objects it may concern
///   and *n* the number in the result. Three cases read again: an order by relevance reads the
///   result at each commit to the entity, a window whose reserve is used up reads its rows, and a
///   window far inside reads the order after an external commit, in O(*n* log *n*).
public final class FetchedObjectsModel<E: Entity>: ListModel {
  /// A row: an object with its included values.
  public typealias Row = EntityView<E>

  /// The part that all list models have in common.
  public let core: ListCore<EntityView<E>>
  /// The query, and the requests for other queries and windows.
  let requests: QueryRequests<E>
  let follower: ResultFollower
  /// The versions that clients were given by `feed(after:)`, or nil until the first request.
  let plainFeed = Locked<FeedCursors<FeedPage<FeedValues>>?>(nil)

  /// Fetches the result of `query` and keeps it up to date.
  ///
  /// The initialiser never waits for the body of a running commit, so it can also be called inside
  /// one. The result is that of the last commit.
  ///
  /// - Parameters:
  ///   - query: The objects and their order.
  ///   - store: The store of the objects.
  ///   - delivery: The delivery context in which the model changes and calls its subscribers.
  ///   - policy: One event for each commit, or one for all that wait. The default is `.every` for
  ///     `.immediate` and `.coalesced` for an actor.
  /// - Throws: ``/EntityStore/StoreError`` if the result can't be read.
  /// - Complexity: O(*n* log *n*), where *n* is the number of objects in the result. It is O(1) if
  ///   another model keeps the result up to date already. For a window, see
  ///   ``setWindow(offset:limit:)``.
  public init(
    _ query: Query<E>, in store: Store, delivery: Delivery = .immediate,
    policy: DeliveryPolicy? = nil
  ) throws {
    let signals = ListSignals<EntityView<E>>()
    let list: any ResultContent<EntityView<E>>.Type = EntityRows<E>.self
    let publisher = ModelPublisher<ResultView, EntityView<E>>(signals) { list.list(of: $0) }
    let follower = try ResultFollower(
      query.description, in: store, delivery: delivery, policy: policy, publisher)
    self.follower = follower
    core = ListCore(signals, publisher, of: follower)
    requests = QueryRequests(query, of: core) { query, anchor, isReplaced, note in
      try follower.setQuery(query(), around: anchor, unless: isReplaced, noting: note)
    }
  }

  deinit {
    follower.end()
    // A feed still shows the list, and nobody else can end a pause now.
    if follower.isPaused { follower.resume() }
  }

  /// Fetches the result of `query` off the caller's thread, and keeps it up to date.
  ///
  /// If the caller is cancelled meanwhile, it still waits for the result.
  ///
  /// - Parameters:
  ///   - query: The objects and their order.
  ///   - store: The store of the objects.
  ///   - delivery: The delivery context in which the model changes and calls its subscribers.
  ///   - policy: The same as in the initialiser.
  /// - Returns: The model, with its first result.
  /// - Throws: ``/EntityStore/StoreError`` if the result can't be read.
  public static func fetching(
    _ query: Query<E>, in store: Store, delivery: Delivery = .immediate,
    policy: DeliveryPolicy? = nil
  ) async throws -> FetchedObjectsModel {
    try await Task.detached {
      try FetchedObjectsModel(query, in: store, delivery: delivery, policy: policy)
    }.value
  }

  /// The query that was set last.
  public var query: Query<E> {
    core.tracking.accessQuery()
    return requests.query
  }

  /// All objects that are shown, in order.
  ///
  /// The list is a view of the current result and never changes. `Array(model.fetchedObjects)`
  /// copies it.
  ///
  /// - Complexity: O(1)
  public var fetchedObjects: FetchedObjectList<EntityView<E>> { snapshot.fetchedObjects }

  /// A signal that sends after each event, and after what a client may wait for and makes no event.
  ///
  /// This is another number of rows around the window, another query for the same rows, the end of
  /// an error, and several commits that became one update.
  package var updates: Signal<Void> { core.signals.updates.signal }

  /// Returns the object at a path.
  ///
  /// `row(at:)` is its view, with the included values of related objects.
  ///
  /// - Precondition: The path is in the result.
  public func object(at path: ListPath) -> E { snapshot[path].value }

  /// Counts of the work that the result has taken.
  @_spi(Inspection) public var work: ResultWork { follower.work }
}
