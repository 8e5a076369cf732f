internal import EntityStore
internal import FetchedObjects
internal import ListDiffing
internal import Locking
internal import Relays

/// One version of an index-only list, with the model that reads its objects.
struct TrackedIndex<E: Entity>: TrackedList {
  let model: IndexedObjectsModel<E>
  let snapshot: ListSnapshot<IndexedRow>

  var isSectioned: Bool { snapshot.isSectioned }
  var sectionTitles: [String] { snapshot.sections.map(\.name) }
  var rowCounts: [Int] { snapshot.rowCounts }

  func isIdentical(to other: TrackedIndex) -> Bool { snapshot.isIdentical(to: other.snapshot) }

  func changes(to other: TrackedIndex) -> ListChanges { snapshot.changes(to: other.snapshot) }
}

/// An index-only model as a source for a publisher.
final class IndexSource<E: Entity>: ListSource {
  typealias Publisher = ListPublisher<TrackedIndex<E>, CacheRequest<E>>

  private let model: IndexedObjectsModel<E>
  /// The observer, which the model doesn't keep, and the subscription to errors.
  private let held = Locked<[any Sendable]>([])

  /// Creates a source that sends the events of a query's model to a publisher.
  ///
  /// The publisher has to follow this source afterwards.
  ///
  /// An external commit that the model already includes is merged, so the caller must hold no lock.
  ///
  /// - Throws: The errors of reading.
  init(
    _ query: Query<E>, in store: Store, delivery: Delivery, cacheCapacity: Int,
    publisher: Publisher, errors: Relay<any Error>
  ) throws {
    let model = try IndexedObjectsModel(
      query, in: store, delivery: delivery, policy: .every, cacheCapacity: cacheCapacity)
    self.model = model
    let observer = ShownEventObserver<IndexedRow>(
      showing: { [weak self, weak publisher] event in
        guard let self else { return }
        publisher?.show(
          Publisher.Event(
            before: TrackedIndex(model: self.model, snapshot: event.before),
            after: TrackedIndex(model: self.model, snapshot: event.after),
            changes: { event.changes }),
          from: self)
      }, notifying: { [weak publisher] in publisher?.publish() })
    let token = model.errors.subscribe { [weak errors] in errors?.send($0) }
    held.withLock { $0 = [observer, token] }
    model.add(observer)
    // Otherwise the publisher's first step would show an external commit before other subscribers
    // see it (F13).
    try store.mergingAhead { try $0(model.shown.version) }
  }

  var shown: TrackedIndex<E> { TrackedIndex(model: model, snapshot: model.shown) }
}
