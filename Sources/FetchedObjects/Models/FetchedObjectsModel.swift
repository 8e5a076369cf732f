public import EntityStore
public import ListDiffing
internal import Locking
public import Observation
public import Relays

/// Keeps the sorted, sectioned result of a query up to date, and says exactly what changes.
///
///     let cars = try FetchedObjectsModel(query, in: store, delivery: .mainActor)
///     let token = cars.didChange.subscribe(on: .mainActor) { event in
///       table.performBatchUpdates(event) { shown = event.after }
///     }
///
/// The result is there when `init` returns. After that each commit that concerns it makes one event
/// (under `.every`; under `.coalesced` those that wait are merged). During a callback the model shows the
/// result of that event, though the store may have moved on. What the model shows and its events
/// change together, in the place chosen at creation. An error never ends it: the last result stays.
///
/// What it shows can be read in `withObservationTracking`, and so in a SwiftUI view, which is then told
/// of the next change, in the model's place, when everything there shows it, and before `willChange`.
/// Who reads ``section(for:)`` or ``sectionIDs`` is told of what concerns these alone, and who reads
/// anything else of every change.
///
/// The model goes when its owner drops it; subscriptions don't keep it alive.
///
/// - Complexity: a commit costs O(*k* log *n*), where *k* is the number of objects it may concern
///   and *n* the number in the result.
public final class FetchedObjectsModel<E: Entity>: Observable, Sendable {
  let currentQuery: Locked<Query<E>>
  let follower: ResultFollower
  let willChangeRelay: Relay<FetchedObjectsEvent<E>>
  let stepsRelay: Relay<FetchedObjectsEvent<E>>
  let didChangeRelay: Relay<FetchedObjectsEvent<E>>
  let errorRelay: Relay<any Error>
  let tracking: ListTracking
  /// What is derived from the model.
  let derived: DerivedLists<E>
  /// What clients have been given by `feed(after:)`, once one has asked.
  let plainFeed = Locked<FeedCursors<FeedPage<FeedValues>>?>(nil)
  /// Where it delivers.
  var place: DeliveryQueue { follower.core.queue }

  /// Fetches the result of `query` and keeps it up to date.
  ///
  /// It never waits for a running commit's body, so it works inside one too; it shows the last commit.
  ///
  /// - Parameters:
  ///   - query: which objects, in which order.
  ///   - store: where they live.
  ///   - delivery: where the model changes and calls its subscribers.
  ///   - policy: one event for each commit, or one for all that wait; by default each for
  ///     `.immediate`, the latest on an actor.
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
      // A feed may keep the follower when the model has gone, and with the model its signals end (R6).
      event: { [weak willChange, weak steps, weak didChange] event in
        defer { derived.tell() }
        let known = derived.takeChanges()
        guard let willChange, let steps, let didChange else { return }
        let endsError = event.endsError
        // What nobody follows isn't worked out.
        guard
          willChange.hasSubscribers || steps.hasSubscribers || didChange.hasSubscribers
            || tracking.isInUse
        else {
          if endsError { tracking.errorHasChanged() }
          return
        }
        let changes = known?.value ?? ListChanges(event)
        // Sums are looked at only where nothing else makes an event.
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
  /// A caller that is cancelled meanwhile still waits for it.
  ///
  /// - Parameters:
  ///   - query: which objects, in which order.
  ///   - store: where they live.
  ///   - delivery: where the model changes and calls its subscribers.
  ///   - policy: as in the initialiser.
  /// - Returns: the model, with its first result.
  /// - Throws: ``/EntityStore/StoreError`` if the result can't be read.
  public static func fetching(
    _ query: Query<E>, in store: Store, delivery: Delivery = .immediate,
    policy: DeliveryPolicy? = nil
  ) async throws -> FetchedObjectsModel {
    try await Task.detached {
      try FetchedObjectsModel(query, in: store, delivery: delivery, policy: policy)
    }.value
  }

  /// The query, as it was set last.
  public var query: Query<E> {
    tracking.accessQuery()
    return currentQuery.withLock { $0 }
  }

  /// The result as it is shown now.
  public var snapshot: FetchedObjectsSnapshot<E> {
    tracking.accessContent()
    return shown
  }

  /// What `snapshot` is, without noting that it is read.
  var shown: FetchedObjectsSnapshot<E> { FetchedObjectsSnapshot(result: follower.shown) }

  /// All objects that are shown, in order.
  ///
  /// It is a view of the result as it is now, which stays as it is; `Array(model.fetchedObjects)` copies
  /// it.
  ///
  /// - Complexity: O(1)
  public var fetchedObjects: FetchedObjectList<E> { snapshot.fetchedObjects }

  /// The sections of the result, in order.
  public var sections: SectionList<E> { snapshot.sections }

  /// What tells the sections apart, in their order.
  ///
  /// A view that tracks this alone is told when a section comes, goes or moves, not when rows change.
  ///
  /// - Complexity: O(*s* log *s*) where *s* is the number of sections.
  public var sectionIDs: [SectionID] {
    tracking.accessOrder()
    return shown.sections.map(\.id)
  }

  /// The section with an id, or nil if it isn't in the result.
  ///
  /// A view that tracks this alone is told when something happens in that section, and when it comes
  /// or goes, not when others change or its position does.
  ///
  /// - Complexity: O(log *s*) where *s* is the number of sections; O(*s*) if they have an order of their
  ///   own.
  public func section(for id: SectionID) -> SectionInfo<E>? {
    tracking.accessSection(id)
    return shown.section(for: id)
  }

  /// What a list's index shows: the first characters of the sections' titles, each once, in order.
  ///
  /// - Complexity: O(*s* log *s*) where *s* is the number of sections.
  public var sectionIndexTitles: [String] { snapshot.sectionIndexTitles }

  /// The section that an entry of the index leads to.
  ///
  /// - Precondition: `index` is a position of `sectionIndexTitles`, and `title` is what stands there.
  public func section(forSectionIndexTitle title: String, at index: Int) -> Int {
    snapshot.section(forSectionIndexTitle: title, at: index)
  }

  /// The object at a path; `snapshot[path]` is its view, with what the query includes of related ones.
  ///
  /// - Precondition: the path is in the result.
  public func object(at path: ListPath) -> E { snapshot[path].value }

  /// The path of the object with an id, or nil if it isn't in the result.
  public func path(for id: E.ID) -> ListPath? { snapshot.path(for: id) }

  /// Each event, before `didChange`.
  ///
  /// The model shows the result after it already.
  public var willChange: Signal<FetchedObjectsEvent<E>> { willChangeRelay.signal }

  /// Each event step by step: that it begins, each change, that it ends; between `willChange` and `didChange`.
  ///
  /// In each step the model shows the result after. Nothing is made as long as nobody subscribes.
  ///
  /// - Complexity: O(*k* log *n*) for each subscription to an event of *k* changes, where *n* is the number
  ///   of objects.
  public var steps: Signal<FetchedObjectsStep<E>> {
    stepsRelay.signal.expand { $0.forEachStep($1) }
  }

  /// Sends each event.
  public var didChange: Signal<FetchedObjectsEvent<E>> { didChangeRelay.signal }

  /// How much work the result has been, counted.
  public var work: ResultWork { follower.work }

  /// The last error of reading, until a commit has been read again.
  public var error: (any Error)? {
    tracking.accessError()
    return follower.error
  }

  /// Errors of reading.
  ///
  /// The last result stays, and the next commit to any object of an entity that it reads reads it anew.
  public var errors: Signal<any Error> { errorRelay.signal }
}
