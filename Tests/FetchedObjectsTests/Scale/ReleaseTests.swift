import EntityStore
import Dispatch
import FetchedObjects
import Fixtures
import ListDiffing
import ListFixtures
import Locking
import Observation
import Relays
import TestSupport
import Testing

/// R3: nothing of the user's is freed under a lock of ours; what is calls back here, and would hang.
@Suite struct ReleaseTests {
  private func expectFinishes(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: @escaping @Sendable () throws -> Void
  ) {
    let done = finishes {
      do { try body() } catch { Issue.record(error) }
    }
    #expect(done, "Something of the user's is freed under a lock", sourceLocation: sourceLocation)
  }

  private static func makeStore() throws -> (Store, Reach, FetchedObjectsModel<Car>) {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let watcher = try FetchedObjectsModel(byOwner, in: store)
    let reach = Reach()
    reach.set(store, watcher)
    return (store, reach, watcher)
  }

  private static func track(
    _ model: FetchedObjectsModel<Car>, _ onChange: @escaping @Sendable (Int) -> Void
  ) {
    withObservationTracking {
      _ = model.snapshot
      _ = model.section(for: SectionID("Ann"))
      _ = model.sectionIDs
    } onChange: {
      onChange(1)
    }
  }

  /// A list whose closures alone hold objects that call back.
  private static func derive(_ cars: FetchedObjectsModel<Car>, _ reach: Reach) -> DerivedModel<Int>
  {
    let (first, second) = (CallingBack(reach), CallingBack(reach))
    return cars.filter { _ in
      _ = first
      return true
    }.map { car in
      _ = second
      return car.year
    }
  }

  private static func touch(_ store: Store) throws {
    try store.commit { try $0.update(Car.self, 1) { $0.year += 1 } }
  }

  @Test func `R3: captures of a model's subscriptions may call back when token or model end`() {
    expectFinishes {
      let (store, reach, watcher) = try Self.makeStore()
      for isTokenFirst in [true, false] {
        for isTold in [true, false] {
          var model: FetchedObjectsModel<Car>? = try FetchedObjectsModel(byOwner, in: store)
          reach.set(store, model)
          var tokens: [SubscriptionToken?] = []
          tokens.append(model?.willChange.subscribe(holding(reach)))
          tokens.append(model?.steps.subscribe(holding(reach)))
          tokens.append(model?.didChange.subscribe(holding(reach)))
          tokens.append(model?.errors.subscribe(holding(reach)))
          if isTold { try Self.touch(store) }
          if isTokenFirst { tokens = [] }
          model = nil
          tokens = []
        }
      }
      #expect(reach.calls.value == 16)
      withExtendedLifetime(watcher) {}
    }
  }

  @Test func `R3: what a subscription holds may call back when it is cancelled in a callback`() {
    expectFinishes {
      let (store, reach, watcher) = try Self.makeStore()
      let bag = SubscriptionBag()
      for signal in [watcher.willChange, watcher.didChange] {
        let payload = CallingBack(reach)
        signal.subscribe { _ in
          _ = payload
          bag.cancel()
        }.store(in: bag)
      }
      try Self.touch(store)
      #expect(reach.calls.value == 2)
    }
  }

  @Test func `R3: what an observed object's subscriptions hold may call back`() {
    expectFinishes {
      let (store, reach, watcher) = try Self.makeStore()
      for isTokenFirst in [true, false] {
        var car: ObservedEntity<Car>? = try ObservedEntity(1, in: store) { $0.owner.name }
        let payload = Locked<CallingBack?>(CallingBack(reach))
        var tokens: [SubscriptionToken?] = []
        if let held = payload.withLock({ $0 }) {
          tokens.append(car?.didChange.subscribe { _ in _ = held })
          tokens.append(car?.changes(of: \.year).subscribe { _ in _ = held })
        }
        _ = payload.withLock { $0.take() }
        try Self.touch(store)
        if isTokenFirst { tokens = [] }
        car = nil
        tokens = []
      }
      #expect(reach.calls.value == 2)
      withExtendedLifetime(watcher) {}
    }
  }

  @Test func `R3: what the closures of derived models hold may call back`() {
    expectFinishes {
      let (store, reach, watcher) = try Self.makeStore()
      for isDroppedInCallback in [false, true] {
        let rows = Locked<DerivedModel<Int>?>(Self.derive(watcher, reach))
        let token = watcher.didChange.subscribe { _ in
          if isDroppedInCallback { _ = rows.withLock { $0.take() } }
        }
        try Self.touch(store)
        _ = rows.withLock { $0.take() }
        token.cancel()
      }
      #expect(reach.calls.value == 4)
      // Those that have gone are removed when another comes.
      withExtendedLifetime(watcher.map { $0.id }) {}
    }
  }

  @Test
  func `R3: captures of onChange may call back after a change, and when the model is released`() {
    expectFinishes {
      let (store, reach, watcher) = try Self.makeStore()
      var model: FetchedObjectsModel<Car>? = try FetchedObjectsModel(byOwner, in: store)
      reach.set(store, model)
      for _ in 0..<2 {
        if let model { Self.track(model, holding(reach)) }
        if reach.calls.value == 0 { try Self.touch(store) } else { model = nil }
      }
      #expect(reach.calls.value == 2)
      withExtendedLifetime(watcher) {}
    }
  }

  @Test @MainActor func `R3: the same on the main actor, where events wait and are merged`()
    async throws
  {
    let (store, reach, watcher) = try Self.makeStore()
    var model: FetchedObjectsModel<Car>? = try FetchedObjectsModel(
      byOwner, in: store, delivery: .mainActor)
    reach.set(store, model)
    var token = model.map { model in
      let payload = CallingBack(reach)
      return model.didChange.subscribe(on: .mainActor) { _ in _ = payload }
    }
    TestThread {
      for _ in 0..<5 { try? Self.touch(store) }
    }.join()
    model = nil
    await store.flush()
    #expect(token != nil)
    token = nil
    await store.flush()
    #expect(reach.calls.value == 1)
    withExtendedLifetime(watcher) {}
  }
}

/// A callback that alone holds an object that calls back.
private func holding<Value>(_ reach: Reach) -> @Sendable (Value) -> Void {
  let payload = CallingBack(reach)
  return { _ in _ = payload }
}
