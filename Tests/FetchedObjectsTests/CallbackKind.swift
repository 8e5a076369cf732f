import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import Locking
import Observation
import Relays
import TestSupport
import Testing

/// A kind of callback: how it is set up so that it calls `body` when a commit of the garage is told.
///
/// All that calls a user's code here is one.
struct CallbackKind: Sendable, CustomTestStringConvertible {
  typealias Body = @Sendable () -> Void
  /// What has to be held for the callback to be called.
  typealias Held = [any Sendable]

  let name: String
  let attach: @Sendable (Store, Delivery, @escaping Body) throws -> Held

  var testDescription: String { name }

  init(
    _ name: String, _ attach: @escaping @Sendable (Store, Delivery, @escaping Body) throws -> Held
  ) {
    self.name = name
    self.attach = attach
  }

  private static let query = Query<Car>().sorted { [$0.year.ascending] }

  private static func model(
    _ store: Store, _ delivery: Delivery
  ) throws -> FetchedObjectsModel<Car> {
    try FetchedObjectsModel(query, in: store, delivery: delivery)
  }

  /// A subscription to what `signal` makes of a model.
  private static func ofModel<Output>(
    _ name: String, _ signal: @escaping @Sendable (FetchedObjectsModel<Car>) -> Signal<Output>
  ) -> CallbackKind {
    CallbackKind(name) { store, delivery, body in
      let model = try model(store, delivery)
      return [model, signal(model).subscribe { _ in body() }]
    }
  }

  /// A subscription to what `signal` makes of a list that is derived from a model.
  private static func ofDerived<Row, Output>(
    _ name: String, _ derive: @escaping @Sendable (FetchedObjectsModel<Car>) -> DerivedModel<Row>,
    _ signal: @escaping @Sendable (DerivedModel<Row>) -> Signal<Output>
  ) -> CallbackKind {
    CallbackKind(name) { store, delivery, body in
      let list = derive(try model(store, delivery))
      return [list, signal(list).subscribe { _ in body() }]
    }
  }

  /// A closure that makes an operator's values.
  private static func inOperator<Output>(
    _ name: String,
    _ signal:
      @escaping @Sendable (Signal<FetchedObjectsEvent<Car>>, @escaping Body) -> Signal<Output>
  ) -> CallbackKind {
    CallbackKind(name) { store, delivery, body in
      let model = try model(store, delivery)
      return [model, signal(model.didChange, body).subscribe { _ in }]
    }
  }

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

  static let models: [CallbackKind] = [
    ofModel("willChange") { $0.willChange },
    ofModel("steps") { $0.steps },
    ofModel("didChange") { $0.didChange },
    CallbackKind("another query") { store, delivery, body in
      let model = try model(store, delivery)
      let token = model.didChange.subscribe { _ in
        body()
        // The difference comes after what is being told, too.
        try? model.setQuery(Query<Car>().sorted { [$0.model.ascending] })
      }
      return [model, token]
    },
    ofDerived("a derived list's willChange") {
      $0.map { $0.year }
    } _: {
      $0.willChange
    },
    ofDerived("a derived list's steps") {
      $0.filter { $0.year > 0 }
    } _: {
      $0.steps
    },
    ofDerived("a derived list's didChange") {
      $0.compactMap { $0.year }
    } _: {
      $0.didChange
    },
    ofDerived("a concatenated list's didChange") {
      $0.map { $0.year }.concatenated(with: $0.map { $0.id })
    } _: {
      $0.didChange
    },
    CallbackKind("the closure of map") { store, delivery, body in
      let model = try model(store, delivery)
      return [
        model,
        model.map {
          body()
          return $0.year
        },
      ]
    },
    CallbackKind("the closure of filter") { store, delivery, body in
      let model = try model(store, delivery)
      return [
        model,
        model.filter { _ in
          body()
          return true
        },
      ]
    },
    CallbackKind("Observation, of a model") { store, delivery, body in
      let model = try model(store, delivery)
      withObservationTracking {
        _ = model.snapshot
      } onChange: {
        body()
      }
      return [model]
    },
    CallbackKind("Observation, of a section") { store, delivery, body in
      let model = try FetchedObjectsModel(byOwner, in: store, delivery: delivery)
      withObservationTracking {
        _ = model.section(for: SectionID("Ann"))
      } onChange: {
        body()
      }
      return [model]
    },
    CallbackKind("Observation, of a derived list") { store, delivery, body in
      let list = try model(store, delivery).map { $0.year }
      withObservationTracking {
        _ = list.snapshot
      } onChange: {
        body()
      }
      return [list]
    },
  ]

  static let others: [CallbackKind] = [
    ofTracker("a results tracker's batches", .results),
    ofTracker("a commit tracker's batches", .commits),
    ofTracker("an index-only tracker's batches", .indexOnly),
    CallbackKind("a tracker's delegate") { store, delivery, body in
      let tracker = FetchedObjectsCacheTracker<Car, Int>(in: store, delivery: delivery) { $0.id }
      let delegate = CallingDelegate(body)
      tracker.delegate = delegate
      try tracker.start(with: CacheRequest(query: query))
      return [tracker, delegate]
    },
    CallbackKind("the closure of a tracker") { store, delivery, body in
      let tracker = CommitCacheTracker<Car, Int>(in: store, delivery: delivery) {
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
    CallbackKind("an observed entity") { store, delivery, body in
      let car = try ObservedEntity<Car>(1, in: store, delivery: delivery)
      return [car, car.didChange.subscribe { _ in body() }]
    },
    CallbackKind("an observed entity's attribute") { store, delivery, body in
      let car = try ObservedEntity<Car>(1, in: store, delivery: delivery)
      return [car, car.changes(of: \.year).subscribe { _ in body() }]
    },
    CallbackKind("Observation, of an observed entity") { store, delivery, body in
      let car = try ObservedEntity<Car>(1, in: store, delivery: delivery)
      withObservationTracking {
        _ = car.year
      } onChange: {
        body()
      }
      return [car]
    },
  ]

  /// These are called where the store delivers, wherever models do.
  static let ofStore: [CallbackKind] = [
    CallbackKind("the store's commits") { store, _, body in
      [store.commits.subscribe { _ in body() }]
    },
    CallbackKind("the store's changes of an entity") { store, _, body in
      [store.changes(of: Car.self).subscribe { _ in body() }]
    },
  ]

  static let operators: [CallbackKind] = [
    inOperator("map") { events, body in
      events.map { event in
        body()
        return event.changes.count
      }
    },
    inOperator("compactMap") { events, body in
      events.compactMap { event in
        body()
        return event.changes.count
      }
    },
    inOperator("filter") { events, body in
      events.filter { _ in
        body()
        return true
      }
    },
    inOperator("scan") { events, body in
      events.scan(0) { sum, event in
        body()
        return sum + event.changes.count
      }
    },
    inOperator("removeDuplicates") { events, body in
      events.merge(with: events).removeDuplicates(by: { _, _ in
        body()
        return true
      })
    },
    ofModel("share") { $0.didChange.share() },
    ofModel("merge") { $0.didChange.merge(with: $0.willChange) },
    ofModel("first") { $0.didChange.first() },
    ofModel("combineLatest") { $0.willChange.combineLatest($0.didChange) },
    ofModel("withLatest") { $0.didChange.withLatest(from: $0.willChange) },
  ]

  /// Those that are called in the place of the model.
  static let ofModels = models + others + operators
  static let all = ofModels + ofStore
}

private final class CallingDelegate: CacheTrackerDelegate, Sendable {
  private let body: CallbackKind.Body

  init(_ body: @escaping CallbackKind.Body) { self.body = body }

  func cacheTracker(_ tracker: any CacheTracker, didProcess batch: CacheTransactionBatch<Int>) {
    body()
  }
}

private struct CallingMapping: DataMapping {
  let body: CallbackKind.Body

  func object(_ view: EntityView<Car>) -> Car? {
    body()
    return view.value
  }

  func id(of object: Car) -> Int { object.id }

  func insert(_ object: Car, into draft: borrowing Draft) throws { try draft.insert(object) }

  func update(_ id: Int, with object: Car, in draft: borrowing Draft) throws {
    try draft.update(Car.self, id) { $0 = object }
  }
}
