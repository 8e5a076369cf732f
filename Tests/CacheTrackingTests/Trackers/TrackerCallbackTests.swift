import CacheTracking
import EntityStore
import FetchedObjects
import Fixtures
import ListFixtures
import Relays
import TestSupport
import Testing

/// S3 in the callbacks of trackers and providers.
@Suite struct TrackerCallbackTests {
  @Test(arguments: CallbackKind.ofTrackers)
  func `S3: a commit inside a tracker's callback comes after the current one`(
    _ kind: CallbackKind
  ) async throws {
    actor Place {}
    let place = Place()
    try await checkCommitInside(kind, .memory, .immediate)
    try await checkCommitInside(kind, .file, .immediate)
    try await checkCommitInside(kind, .memory, .on(place))
    withExtendedLifetime(place) {}
  }

  @Test(arguments: CallbackKind.ofTrackers)
  func `S3: on the main actor it comes after the current one, too`(_ kind: CallbackKind)
    async throws
  {
    try await checkCommitInside(kind, .memory, .mainActor)
  }
}

extension CallbackKind {
  private static func ofTracker(
    _ name: String, _ kind: TrackerKind
  ) -> CallbackKind {
    CallbackKind(name) { store, delivery, body in
      let tracker = kind.make(store, delivery: delivery)
      let token = tracker.batches.subscribe { _ in body() }
      try tracker.start(CacheRequest(query: query))
      return [tracker, token]
    }
  }

  fileprivate static let ofTrackers: [CallbackKind] = [
    ofTracker("a results tracker's batches", .results),
    ofTracker("a refetching tracker's batches", .refetching),
    ofTracker("an index-only tracker's batches", .indexOnly),
    CallbackKind("a tracker's delegate") { store, delivery, body in
      let tracker = FetchedObjectsCacheTracker<Car, Int>(in: store, delivery: delivery) { $0.id }
      let delegate = CallingDelegate(body)
      tracker.delegate = delegate
      try tracker.start(with: CacheRequest(query: query))
      return [tracker, delegate]
    },
    CallbackKind("the closure of a tracker") { store, delivery, body in
      let tracker = RefetchingCacheTracker<Car, Int>(in: store, delivery: delivery) {
        body()
        return $0.id
      }
      let token = tracker.batches.subscribe { _ in }
      try tracker.start(with: CacheRequest(query: query))
      return [tracker, token]
    },
    CallbackKind("a provider's events") { store, delivery, body in
      let provider = FetchedDataProvider(
        query, in: store, mapping: PlainDataMapping(Car.self), delivery: delivery)
      let token = provider.events.subscribe { _ in body() }
      try provider.reloadData()
      return [provider, token]
    },
    CallbackKind("a provider's mapping") { store, delivery, body in
      let provider = FetchedDataProvider(
        query, in: store, mapping: CallingMapping(body: body), delivery: delivery)
      let token = provider.events.subscribe { _ in }
      try provider.reloadData()
      return [provider, token]
    },
  ]
}

private final class CallingDelegate: CacheTrackerDelegate, Sendable {
  private let body: CallbackKind.Body

  package init(_ body: @escaping CallbackKind.Body) { self.body = body }

  package func cacheTracker(
    _ tracker: any CacheTracker, didProcess batch: CacheTransactionBatch<Int>
  ) {
    body()
  }
}

private struct CallingMapping: DataMapping {
  package let body: CallbackKind.Body

  package func object(_ view: EntityView<Car>) -> Car? {
    body()
    return view.value
  }

  package func id(of object: Car) -> Int { object.id }

  package func insert(_ object: Car, into draft: borrowing Draft) throws {
    try draft.insert(object)
  }

  package func update(_ id: Int, with object: Car, in draft: borrowing Draft) throws {
    try draft.update(Car.self, id) { $0 = object }
  }
}
