public import EntityStore
internal import FetchedObjects
public import ListDiffing
internal import Locking
public import Relays

/// Keeps the data of a list screen, and all requests that the screen has for them.
///
///     let provider = FetchedDataProvider(
///       query, in: store, mapping: OwnershipMapping(), delivery: .mainActor)
///     token = provider.events.subscribe(on: .mainActor) { [weak self] event in
///       self?.presenter.show(event.batch, of: event.after)
///     }
///     try provider.reloadData()
///
/// An app brings its entities and a ``DataMapping``; everything else is here. The provider is a data source: it shows
/// a commit before any callback of that commit runs in its place, so in a callback the version that the event tells of.
/// Nothing is fetched before
/// ``reloadData()``.
///
/// It may be used from any thread; events come in its place, one for each commit that concerns the list. It goes when
/// its owner drops it; subscriptions don't keep it.
public final class FetchedDataProvider<Mapping: DataMapping>: FetchedDataProviding {
  /// What the rows are.
  public typealias Object = Mapping.Object
  private typealias Publisher = ListPublisher<
    FetchedObjectsSnapshot<Mapping.E>, CacheRequest<Mapping.E>
  >

  private struct State: Sendable {
    /// The query without a filter of its own.
    var base: Query<Mapping.E>
    var query: Query<Mapping.E>
    /// Nil until the data have been fetched.
    var source: ModelSource<Mapping.E>?
    var isPaused = false
    /// How many requests there have been for another list.
    var requests = 0
  }

  private let store: Store
  private let mapping: Mapping
  private let delivery: Delivery
  private let seed: (@Sendable (borrowing Draft) throws -> Void)?
  private let state: Locked<State>
  let relay = Relay<FetchedDataEvent<Mapping>>()
  let errorRelay = Relay<any Error>()
  private let publisher: Publisher

  /// Creates a provider that hasn't fetched anything.
  ///
  /// - Parameters:
  ///   - query: Which objects, in which order and sections, and what comes with them. Sections need not be what the
  ///     objects are sorted by first.
  ///   - store: Where they live.
  ///   - mapping: What leads to the objects of the screen and back.
  ///   - delivery: Where events are made and delivered.
  ///   - seed: Fills the store, in a commit of its own, when a reload finds no object of the query, whatever
  ///     `filter` has added.
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
    // What nobody hears isn't made.
    publisher = Publisher(
      queue: store.queue(of: delivery), publishesEveryFirst: true,
      hasSubscribers: { relay.hasSubscribers }
    ) { relay.send(FetchedDataEvent($0, mapping)) }
  }

  // MARK: Fetching

  /// Fetches the data and tells that as an event; see ``FetchedDataProviding/reloadData()``.
  ///
  /// If there are none, the seed is committed afterwards, and what it brings comes as a change.
  public func reloadData() throws {
    let source = try follow(.again) { ($0.query, base: $0.base) }
    guard let seed, source?.shown.isEmpty == true else { return }
    // A filter that leaves nothing over says nothing of the store.
    let base = state.withLock { $0.base }
    // Looked at in the commit, since another program may be filling the same file.
    try store.commit { draft in if try draft.count(base) == 0 { try seed(draft) } }
  }

  /// The query, as it was set last.
  public var query: Query<Mapping.E> { state.withLock { $0.query } }

  /// Goes over to another query; see ``FetchedDataProviding/setQuery(_:)``.
  ///
  /// What `filter` has added is gone.
  public func setQuery(_ query: Query<Mapping.E>) throws {
    try follow(.published) { _ in (query, base: query) }
  }

  /// Shows only those objects of the query that also meet these conditions, one a line, in place of those of an earlier
  /// `filter`.
  ///
  ///     try provider.filter { $0.year > 1990 }
  ///
  /// It is told like `setQuery`.
  ///
  /// - Throws: ``/EntityStore/StoreError`` if the data can't be read; then the conditions before stay.
  public func filter(
    @ConditionBuilder<Mapping.E> _ conditions: (Row<Mapping.E, Mapping.E>) -> Condition<Mapping.E>
  ) throws {
    try follow(.published) { ($0.base.filter(conditions), base: $0.base) }
  }

  /// Shows all objects of the query again.
  ///
  /// - Throws: ``/EntityStore/StoreError`` if the data can't be read; then the conditions before stay.
  public func removeFilter() throws { try follow(.published) { ($0.base, base: $0.base) } }

  /// Goes over to the query that `choose` makes of what there is; before the first fetch it is only noted.
  ///
  /// Requests of several threads come one after the other: one that another has overtaken begins again, since it has been
  /// chosen from what is no more. Nothing is fetched under a lock.
  @discardableResult
  private func follow(
    _ beginning: Publisher.Beginning,
    _ choose: (State) -> (query: Query<Mapping.E>, base: Query<Mapping.E>)
  ) throws -> ModelSource<Mapping.E>? {
    while true {
      let last = state.withLock { $0 }
      // It keeps the source before, which so isn't freed under the lock.
      defer { withExtendedLifetime(last) {} }
      let (query, base) = choose(last)
      var source: ModelSource<Mapping.E>?
      if last.source != nil || beginning == .again {
        source = try ModelSource(
          query, in: store, delivery: delivery, publisher: publisher, errors: errorRelay)
      }
      let taken = state.withLock { state -> Publisher.Taken?? in
        guard state.requests == last.requests else { return nil }
        state.requests += 1
        state.base = base
        state.query = query
        guard let source else { return .some(nil) }
        state.source = source
        // Here, so that `resume()` finds it paused, or it finds that there is no pause.
        if state.isPaused { source.model.pause() }
        return publisher.take(source, tag: CacheRequest(query: query), beginning)
      }
      guard let taken else { continue }
      if let taken { publisher.begin(taken) }
      return source
    }
  }

  // MARK: Writing

  /// Stores a new object, in one commit; see ``FetchedDataProviding/insertObject(by:named:)``.
  public func insertObject(by object: Object, named name: String?) throws {
    try store.commit(named: name) { try mapping.insert(object, into: $0) }
  }

  /// Changes the object at a path into another one, in one commit.
  ///
  /// - Precondition: The path is in the list.
  public func updateObject(at path: ListPath, by object: Object, named name: String?) throws {
    try updateObject(with: fetched.result[path].id, by: object, named: name)
  }

  /// Changes the object with an id into another one, in one commit.
  public func updateObject(with id: Mapping.E.ID, by object: Object, named name: String?) throws {
    try store.commit(named: name) { try mapping.update(id, with: object, in: $0) }
  }

  /// Deletes an object, in one commit.
  public func deleteObject(_ object: Object, named name: String?) throws {
    try deleteObject(with: mapping.id(of: object), named: name)
  }

  /// Deletes the object at a path, in one commit.
  ///
  /// - Precondition: The path is in the list.
  public func deleteObject(at path: ListPath, named name: String?) throws {
    try deleteObject(with: fetched.result[path].id, named: name)
  }

  /// Deletes the object with an id, in one commit.
  public func deleteObject(with id: Mapping.E.ID, named name: String?) throws {
    try store.commit(named: name) { try mapping.delete(id, in: $0) }
  }

  // MARK: Showing

  /// What is shown, or nil before the first fetch.
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

  /// The object with an id as it is stored now, with all that the query includes.
  ///
  /// It is read by its id, also if the list doesn't have it.
  public func object(with id: Mapping.E.ID) throws -> Object? {
    let only = query.only(id)
    let view = try FetchedObjectsSnapshot(only, in: store).view(for: id)
    return view.flatMap { mapping.object($0) }
  }

  /// Shows the same data until `resume()`.
  public func pause() {
    state.withLock { state in
      state.isPaused = true
      publisher.pause()
      state.source?.model.pause()
    }
  }

  /// Shows and tells what has come since `pause()`: one event, with the net difference, or none.
  public func resume() {
    let source = state.withLock { state in
      state.isPaused = false
      publisher.resume()
      return state.source
    }
    source?.model.resume()
    publisher.catchUp()
  }

  /// What happens, in the provider's place.
  public var events: Signal<FetchedDataEvent<Mapping>> { relay.signal }

  /// Errors of reading; the data stay.
  public var errors: Signal<any Error> { errorRelay.signal }
}
