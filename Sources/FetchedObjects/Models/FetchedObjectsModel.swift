public import EntityStore
public import ListDiffing
internal import Locking
public import Observation
public import Relays

/// A model that keeps the sorted, sectioned result of a query up to date and publishes the exact
/// changes.
///
///     let cars = try FetchedObjectsModel(query, in: store, delivery: .mainActor)
///     let token = cars.didChange.subscribe(on: .mainActor) { event in
///       table.performBatchUpdates(event) { shown = event.after }
///     }
///
/// The result is available when `init` returns. Then, under `.every`, each commit that affects
/// it makes one event. Under `.coalesced`, waiting events are merged. During a callback the model
/// shows the result of that event, even if the store already has a later version. The result and
/// the events change together, in the delivery context chosen at creation. An error never ends the
/// model: the last result stays.
///
/// The model can be read in `withObservationTracking`, and so in a SwiftUI view. The view is
/// notified of the next change in the model's delivery context, when everything in that context
/// shows the change, and before `willChange`. A reader of ``section(for:)`` or ``sectionIDs`` is
/// notified only of changes that concern these. A reader of anything else is notified of every
/// change.
///
/// The model is deallocated when its owner releases it. Subscriptions don't keep it alive.
///
/// - Complexity: A commit costs O(*k* log *n*), where *k* is the number of objects it may concern
///   and *n* the number in the result.
public final class FetchedObjectsModel<E: Entity>: Observable, Sendable {
  let currentQuery: Locked<Query<E>>
  let follower: ResultFollower
  let willChangeRelay: Relay<FetchedObjectsEvent<E>>
  let stepsRelay: Relay<FetchedObjectsEvent<E>>
  let didChangeRelay: Relay<FetchedObjectsEvent<E>>
  let errorRelay: Relay<any Error>
  let tracking: ListTracking
  /// The lists that are derived from the model.
  let derived: DerivedLists<E>
  /// The versions that clients were given by `feed(after:)`, or nil until the first request.
  let plainFeed = Locked<FeedCursors<FeedPage<FeedValues>>?>(nil)
  /// The queue on which the model delivers.
  var place: DeliveryQueue { follower.core.queue }

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
  public init(
    _ query: Query<E>, in store: Store, delivery: Delivery = .immediate,
    policy: DeliveryPolicy? = nil
  ) throws {
    currentQuery = Locked(query)
    let willChange = Relay<FetchedObjectsEvent<E>>()
    let steps = Relay<FetchedObjectsEvent<E>>()
    let didChange = Relay<FetchedObjectsEvent<E>>()
    let errors = Relay<any Error>()
    willChangeRelay = willChange
    stepsRelay = steps
    didChangeRelay = didChange
    errorRelay = errors
    let derived = DerivedLists<E>()
    self.derived = derived
    let tracking = ListTracking()
    self.tracking = tracking
    follower = try ResultFollower(
      query.description, in: store, delivery: delivery, policy: policy,
      shown: { derived.show($0) },
      // A feed may keep the follower after the model is deallocated. The model's signals end with
      // the model (R6).
      event: { [weak willChange, weak steps, weak didChange] event in
        defer { derived.tell() }
        let known = derived.takeChanges()
        guard let willChange, let steps, let didChange else { return }
        let endsError = event.endsError
        // Changes are computed only if somebody uses them.
        guard
          willChange.hasSubscribers || steps.hasSubscribers || didChange.hasSubscribers
            || tracking.isInUse
        else {
          if endsError { tracking.errorHasChanged() }
          return
        }
        let changes = known?.value ?? ListChanges(event)
        // Sums are compared only if there is no other change.
        let hasNews = !changes.isEmpty || event.changesSummaries
        if tracking.isInUse {
          tracking.hasChanged(
            changes, from: FetchedObjectsSnapshot<E>(result: event.before),
            to: FetchedObjectsSnapshot<E>(result: event.after),
            isWider: hasNews || event.isWiderThanChanges, unnamed: event.sectionsChangedUnnamed)
        }
        if endsError { tracking.errorHasChanged() }
        guard hasNews else { return }
        let event = FetchedObjectsEvent<E>(event, changes)
        willChange.send(event)
        steps.send(event)
        didChange.send(event)
      },
      error: { [weak errors] error in
        tracking.errorHasChanged()
        errors?.send(error)
      })
  }

  deinit { follower.end() }

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
    tracking.accessQuery()
    return currentQuery.withLock { $0 }
  }

  /// The result that is shown now.
  public var snapshot: FetchedObjectsSnapshot<E> {
    tracking.accessContent()
    return shown
  }

  /// The value of `snapshot`, without noting the read.
  package var shown: FetchedObjectsSnapshot<E> { FetchedObjectsSnapshot(result: follower.shown) }

  /// All objects that are shown, in order.
  ///
  /// The list is a view of the current result and never changes. `Array(model.fetchedObjects)`
  /// copies it.
  ///
  /// - Complexity: O(1)
  public var fetchedObjects: FetchedObjectList<E> { snapshot.fetchedObjects }

  /// The sections of the result, in order.
  public var sections: SectionList<E> { snapshot.sections }

  /// The ids of the sections, in their order.
  ///
  /// A view that tracks only this is notified when a section is inserted, deleted or moved. It
  /// isn't notified when rows change.
  ///
  /// - Complexity: O(*s* log *s*) where *s* is the number of sections.
  public var sectionIDs: [SectionID] {
    tracking.accessOrder()
    return shown.sections.map(\.id)
  }

  /// Returns the section with an id, or nil if it isn't in the result.
  ///
  /// A view that tracks only this is notified when the section is inserted or deleted, and when
  /// something changes in it. It isn't notified when other sections or the section's position
  /// change.
  ///
  /// - Complexity: O(log *s*) where *s* is the number of sections, or O(*s*) if the sections aren't
  ///   ordered by their identities.
  public func section(for id: SectionID) -> SectionInfo<E>? {
    tracking.accessSection(id)
    return shown.section(for: id)
  }

  /// The titles of the section index: the first characters of the sections' titles, each once, in
  /// order.
  ///
  /// - Complexity: O(*s* log *s*) where *s* is the number of sections.
  public var sectionIndexTitles: [String] { snapshot.sectionIndexTitles }

  /// Returns the section that an entry of the section index leads to.
  ///
  /// - Precondition: `index` is a position in `sectionIndexTitles`, and `title` is the title at
  ///   that position.
  public func section(forSectionIndexTitle title: String, at index: Int) -> Int {
    snapshot.section(forSectionIndexTitle: title, at: index)
  }

  /// Returns the object at a path.
  ///
  /// `snapshot[path]` is its view, with the included values of related objects.
  ///
  /// - Precondition: The path is in the result.
  public func object(at path: ListPath) -> E { snapshot[path].value }

  /// Returns the path of the object with an id, or nil if it isn't in the result.
  public func path(for id: E.ID) -> ListPath? { snapshot.path(for: id) }

  /// A signal that sends each event before `didChange`.
  ///
  /// The model already shows the result after the event.
  public var willChange: Signal<FetchedObjectsEvent<E>> { willChangeRelay.signal }

  /// A signal that sends the steps of each event: its beginning, each change, and its end.
  ///
  /// They are sent between `willChange` and `didChange`. In each step the model shows the result
  /// after the event. No step is made as long as there is no subscriber.
  ///
  /// - Complexity: O(*k* log *n*) for each subscription to an event of *k* changes, where *n* is
  ///   the number of objects.
  public var steps: Signal<FetchedObjectsStep<E>> {
    stepsRelay.signal.expand { $0.forEachStep($1) }
  }

  /// A signal that sends each event.
  public var didChange: Signal<FetchedObjectsEvent<E>> { didChangeRelay.signal }

  /// Counts of the work that the result has taken.
  public var work: ResultWork { follower.work }

  /// The last read error, or nil once a commit has been read again.
  public var error: (any Error)? {
    tracking.accessError()
    return follower.error
  }

  /// A signal that sends read errors.
  ///
  /// The last result stays. The next commit to any object of an entity that the model reads makes
  /// it read the result again.
  public var errors: Signal<any Error> { errorRelay.signal }
}
