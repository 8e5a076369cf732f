package import EntityStore
internal import FetchedObjects
package import Fixtures
internal import ListDiffing
internal import Locking
internal import Observation
package import Relays
internal import TestSupport
internal import Testing

/// A kind of callback: how it is set up so that it calls `body` when a commit of the garage is told.
///
/// All that calls a user's code here is one.
package struct CallbackKind: Sendable, CustomTestStringConvertible {
  package typealias Body = @Sendable () -> Void
  /// What has to be held for the callback to be called.
  package typealias Held = [any Sendable]

  package let name: String
  package let attach: @Sendable (Store, Delivery, @escaping Body) throws -> Held

  package var testDescription: String { name }

  package init(
    _ name: String, _ attach: @escaping @Sendable (Store, Delivery, @escaping Body) throws -> Held
  ) {
    self.name = name
    self.attach = attach
  }

  package static let query = Query<Car>().sorted { [$0.year.ascending] }

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
      @escaping @Sendable (Signal<ListEvent<EntityView<Car>>>, @escaping Body) -> Signal<Output>
  ) -> CallbackKind {
    CallbackKind(name) { store, delivery, body in
      let model = try model(store, delivery)
      return [model, signal(model.didChange, body).subscribe { _ in }]
    }
  }

  package static let models: [CallbackKind] = [
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

  package static let others: [CallbackKind] = [
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
  package static let ofStore: [CallbackKind] = [
    CallbackKind("the store's commits") { store, _, body in
      [store.commits.subscribe { _ in body() }]
    },
    CallbackKind("the store's changes of an entity") { store, _, body in
      [store.changes(of: Car.self).subscribe { _ in body() }]
    },
  ]

  package static let operators: [CallbackKind] = [
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
  package static let ofModels = models + others + operators
  package static let all = ofModels + ofStore
}
