public import EntityStore
internal import FetchedObjects
public import ListDiffing
internal import Locking
public import Relays

/// A provider of the data of a list screen.
///
/// It handles all requests that the screen makes for them: fetch, filter, insert, update and
/// delete.
///
///     let provider = FetchedDataProvider(
///       query, in: store, mapping: OwnershipMapping(), delivery: .mainActor)
///     token = provider.events.subscribe(on: .mainActor) { [weak self] event in
///       self?.presenter.show(event.batch, of: event.after)
///     }
///     try provider.reloadData()
///     try provider.deleteObject(with: id, named: "Delete the car")
///
/// An app supplies its entities and a ``DataMapping``. The provider does the rest, and it is the
/// only part of the screen that knows the store. The provider is a data source. It applies a commit
/// before any callback of that commit runs in its delivery context. So a callback sees the version
/// that the event describes. Nothing is fetched before ``reloadData()``.
///
/// Each writing method makes one commit, and returns when the data are stored. The commit can have
/// a user-visible name for undo.
///
/// The provider can be used on any thread. Events arrive in its delivery context, one for each
/// commit that changes the list, whether the screen's own request, another screen or another
/// process made it. The provider is deallocated when its owner releases it. Subscriptions don't
/// keep it alive.
public final class FetchedDataProvider<Mapping: DataMapping>: FetchedDataSource, Sendable {
  /// The type of the rows.
  public typealias Object = Mapping.Object
  private typealias Publisher = ListPublisher<
    ListSnapshot<EntityView<Mapping.E>>, CacheRequest<Mapping.E>
  >
  private typealias Source = ModelSource<
    FetchedObjectsModel<Mapping.E>, ListSnapshot<EntityView<Mapping.E>>
  >

  private struct State: Sendable {
    /// The query without the conditions of `filter`.
    var base: Query<Mapping.E>
    var query: Query<Mapping.E>
    /// The source, or nil before the first fetch.
    var source: Source?
    /// The number of requests for another list.
    var requests = 0
  }

  private let store: Store
  private let mapping: Mapping
  private let delivery: Delivery
  private let seed: (@Sendable (borrowing Draft) throws -> Void)?
  private let state: Locked<State>
  private let relay = Relay<FetchedDataEvent<Mapping>>()
  private let errorRelay = Relay<any Error>()
  private let publisher: Publisher

  /// Creates a provider that hasn't fetched anything.
  ///
  /// - Parameters:
  ///   - query: The objects, their order and sections, and the included paths. The sections need
  ///     not match the first key of the order.
  ///   - store: The store of the objects.
  ///   - mapping: The mapping between stored objects and the objects of the screen.
  ///   - delivery: The context in which events are made and delivered.
  ///   - seed: A closure that fills the store in a separate commit. It is called if a reload finds
  ///     no object of the query. The conditions of `filter` are ignored for this.
  public init(
    _ query: Query<Mapping.E>, in store: Store, mapping: Mapping, delivery: Delivery = .immediate,
    seed: (@Sendable (borrowing Draft) throws -> Void)? = nil
  ) {
    self.store = store
    self.mapping = mapping
    self.delivery = delivery
    self.seed = seed
    state = Locked(State(base: query, query: query))
    let relay = relay
    // Without subscribers, no events are made.
    publisher = Publisher(
      queue: store.queue(of: delivery), hasSubscribers: { relay.hasSubscribers }
    ) { relay.send(FetchedDataEvent($0, mapping)) }
  }

  // MARK: Fetching

  /// Fetches the data and publishes them as an event, even if there are none, or if they haven't
  /// changed.
  ///
  /// If there are no data, the seed is committed afterwards. Its objects are published as a change.
  ///
  /// - Throws: ``/EntityStore/StoreError`` if the data can't be read. The previous data stay then.
  ///   If seeding throws, its error is thrown. The data have been fetched nevertheless.
  public func reloadData() throws {
    let source = try follow(.again) { ($0.query, base: $0.base) }
    guard let seed, source?.shown.isEmpty == true else { return }
    // An empty result of a filter doesn't mean that the store is empty.
    let base = state.withLock { $0.base }
    // A commit waits for other writers, so none is made for nothing.
    guard try store.count(base) == 0 else { return }
    // It is checked again inside the commit: another program may be filling the same file.
    try store.commit { draft in if try draft.count(base) == 0 { try seed(draft) } }
  }

  /// The query that was set last, with the conditions of a filter.
  public var query: Query<Mapping.E> { state.withLock { $0.query } }

  /// Switches to another query, and publishes the difference as one event, even if it is empty.
  ///
  /// The conditions of `filter` are removed. Before the first fetch, nothing is published. The
  /// fetch will use the query.
  ///
  /// - Throws: ``/EntityStore/StoreError`` if the data can't be read. The previous query stays
  ///   then.
  public func setQuery(_ query: Query<Mapping.E>) throws {
    try follow(.published) { _ in (query, base: query) }
  }

  /// Shows only the objects of the query that also meet these conditions.
  ///
  /// They replace the conditions of an earlier `filter`.
  ///
  ///     try provider.filter { $0.year > 1990 }
  ///
  /// Write one condition per line. The change is published like that of `setQuery`.
  ///
  /// - Throws: ``/EntityStore/StoreError`` if the data can't be read. The previous conditions stay
  ///   then.
  public func filter(
    @Condition<Mapping.E>.Builder _ conditions: (Row<Mapping.E, Mapping.E>) -> Condition<Mapping.E>
  ) throws {
    try follow(.published) { ($0.base.filter(conditions), base: $0.base) }
  }

  /// Shows all objects of the query again.
  ///
  /// - Throws: ``/EntityStore/StoreError`` if the data can't be read. The previous conditions stay
  ///   then.
  public func removeFilter() throws { try follow(.published) { ($0.base, base: $0.base) } }

  /// Switches to the query that `choose` returns for the current state.
  ///
  /// Before the first fetch, the query is only recorded.
  ///
  /// Requests of several threads are carried out one after the other. If another request has been
  /// carried out in the meantime, this one starts again, because its query was chosen from an
  /// outdated state. Nothing is fetched under a lock.
  @discardableResult
  private func follow(
    _ beginning: Publisher.Beginning,
    _ choose: (State) -> (query: Query<Mapping.E>, base: Query<Mapping.E>)
  ) throws -> Source? {
    while true {
      let last = state.withLock { $0 }
      // This holds the previous source, so it isn't released under the lock.
      defer { withExtendedLifetime(last) {} }
      let (query, base) = choose(last)
      var source: Source?
      if last.source != nil || beginning == .again {
        let model = try FetchedObjectsModel(query, in: store, delivery: delivery, policy: .every)
        source = try Source(model, in: store, publisher: publisher, errors: errorRelay) { $0 }
      }
      // Nil if the request has been overtaken.
      let isPublished = ReleasePool.open {
        state.withLock { state -> Bool? in
          guard state.requests == last.requests else { return nil }
          state.requests += 1
          state.base = base
          state.query = query
          guard let source else { return false }
          state.source = source
          return publisher.take(source, tag: CacheRequest(query: query), beginning)
        }
      }
      guard let isPublished else { continue }
      if isPublished { publisher.catchUp() }
      return source
    }
  }

  // MARK: Writing

  /// Stores a new object, in one commit.
  ///
  /// - Throws: ``/EntityStore/StoreError``, or the error that the mapping throws.
  public func insertObject(by object: Object, named name: String? = nil) throws {
    try store.commit(named: name) { try mapping.insert(object, into: $0) }
  }

  /// Replaces the object at a path, in one commit.
  ///
  /// - Throws: ``/EntityStore/StoreError``, or the error that the mapping throws. It is
  ///   ``/EntityStore/StoreError/notFound(_:)`` if the object has been deleted since.
  /// - Precondition: The path is in the list.
  public func updateObject(at path: ListPath, by object: Object, named name: String? = nil) throws {
    try updateObject(with: fetched.result[path].id, by: object, named: name)
  }

  /// Replaces the object with an id, which may or may not be in this list, in one commit.
  ///
  /// - Throws: ``/EntityStore/StoreError``, or the error that the mapping throws.
  public func updateObject(
    with id: Mapping.E.ID, by object: Object, named name: String? = nil
  ) throws {
    try store.commit(named: name) { try mapping.update(id, with: object, in: $0) }
  }

  /// Deletes an object, in one commit.
  ///
  /// - Throws: ``/EntityStore/StoreError``, such as ``/EntityStore/StoreError/notFound(_:)``, or
  ///   the error that the mapping throws.
  public func deleteObject(_ object: Object, named name: String? = nil) throws {
    try deleteObject(with: mapping.id(of: object), named: name)
  }

  /// Deletes the object at a path, in one commit.
  ///
  /// - Throws: ``/EntityStore/StoreError``, or the error that the mapping throws. It is
  ///   ``/EntityStore/StoreError/notFound(_:)`` if the object has been deleted since.
  /// - Precondition: The path is in the list.
  public func deleteObject(at path: ListPath, named name: String? = nil) throws {
    try deleteObject(with: fetched.result[path].id, named: name)
  }

  /// Deletes the object with an id, which may or may not be in this list, in one commit.
  ///
  /// - Throws: ``/EntityStore/StoreError``, or the error that the mapping throws.
  public func deleteObject(with id: Mapping.E.ID, named name: String? = nil) throws {
    try store.commit(named: name) { try mapping.delete(id, in: $0) }
  }

  // MARK: Showing

  /// The visible version, or nil before the first fetch.
  public var snapshot: FetchedDataSnapshot<Mapping>? {
    publisher.shown.map { FetchedDataSnapshot($0, mapping) }
  }

  var fetched: FetchedDataSnapshot<Mapping> {
    guard let snapshot else {
      mistake(
        "A provider is asked for a row before it has data; call reloadData() first")
    }
    return snapshot
  }

  /// Returns the object with an id as it is stored now, with everything that the query includes.
  ///
  /// It is read by its id, even if it isn't in the list. The result is nil if no such object exists
  /// or if a part of it is missing.
  ///
  /// - Throws: ``/EntityStore/StoreError`` if it can't be read.
  public func object(with id: Mapping.E.ID) throws -> Object? {
    let only = query.only(id)
    let view = try ListSnapshot(only, in: store).row(for: id)
    return view.flatMap { mapping.object($0) }
  }

  /// Keeps the visible version until `resume()`.
  public func pause() { publisher.pause() }

  /// Applies and publishes the changes since `pause()`: one event with the net difference, or none.
  public func resume() {
    publisher.resume()
    publisher.catchUp()
  }

  /// A signal of the provider's events, in its delivery context.
  public var events: Signal<FetchedDataEvent<Mapping>> { relay.signal }

  /// A signal of reading errors.
  ///
  /// The data stay after an error.
  public var errors: Signal<any Error> { errorRelay.signal }
}
