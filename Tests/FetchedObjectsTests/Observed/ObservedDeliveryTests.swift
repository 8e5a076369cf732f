@_spi(Storage) import EntityStore
import FetchedObjects
import Fixtures
import Locking
import Observation
import Relays
import TestSupport
import Testing

@Suite struct ObservedDeliveryTests {
  private func makeStore() throws -> Store {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    return store
  }

  private func commitYears(_ years: ClosedRange<Int>, in store: Store) {
    TestThread {
      for year in years { try? store.commit { try $0.update(Car.self, 1) { $0.year = year } } }
    }.join()
  }

  @Test @MainActor func `F12: under .every it shows the content of the event that it publishes`()
    async throws
  {
    for policy in [DeliveryPolicy.every, .coalesced] {
      let store = try makeStore()
      let car = try ObservedEntity<Car>(1, in: store, delivery: .mainActor, policy: policy)
      var years: [[Int]] = []
      let token = car.didChange.subscribe(on: .mainActor) {
        years.append([$0.after.year, car.year])
      }
      commitYears(1...4, in: store)
      #expect(car.year == 1994)
      await store.flush()
      #expect(years == (policy == .every ? [[1, 1], [2, 2], [3, 3], [4, 4]] : [[4, 4]]))
      token.cancel()
    }
  }

  actor Board {
    private(set) var years: [[Int]] = []
    private var tokens: [SubscriptionToken] = []

    func follow(_ car: ObservedEntity<Car>) {
      car.didChange.subscribe(on: self) { board, event in
        board.years.append([event.after.year, car.year])
      }.store(in: &tokens)
    }

    /// Keeps the actor busy while `body` runs.
    func whileBusy(_ body: @Sendable () -> Void) { body() }
  }

  @Test func `F12: on an actor it changes and calls there, in order`() async throws {
    let store = try makeStore()
    let board = Board()
    let car = try ObservedEntity<Car>(1, in: store, delivery: .on(board), policy: .every)
    await board.follow(car)
    for year in 1...50 { try car.update { $0.year = year } }
    await store.flush()
    #expect(await board.years == (1...50).map { [$0, $0] })
  }

  @Test func `F12: on a busy actor, by default, it publishes the net change`() async throws {
    let store = try makeStore()
    let board = Board()
    let car = try ObservedEntity<Car>(1, in: store, delivery: .on(board))
    await board.follow(car)
    await board.whileBusy {
      commitYears(1...50, in: store)
      #expect(car.year == 1994)
    }
    await store.flush()
    #expect(await board.years == [[50, 50]])
  }

  @Test func `F13: observed objects and models take turns in order of creation`() throws {
    let store = try makeStore()
    let seen = Log<[Int]>()
    let first = try ObservedEntity<Car>(1, in: store)
    let model = try FetchedObjectsModel(Query<Car>(), in: store)
    let second = try ObservedEntity<Car>(1, in: store) { $0.owner.name }
    let third = try ObservedEntity<Car>(2, in: store)
    @Sendable func note(_ turn: Int) {
      seen.note([turn, first.year, second.year, third.year, model.fetchedObjects[0].year])
    }
    let tokens = [
      third.didChange.subscribe { _ in note(4) },
      second.didChange.subscribe { _ in note(3) },
      model.didChange.subscribe { _ in note(2) },
      first.didChange.subscribe { _ in note(1) },
    ]
    try store.commit { draft in
      try draft.update(Car.self, 1) { $0.year = 7 }
      try draft.update(Car.self, 2) { $0.year = 8 }
    }
    #expect(seen.entries == (1...4).map { [$0, 7, 7, 8, 7] })
    withExtendedLifetime(tokens) {}
  }

  @Test func `S3: a commit in any callback is delivered after the current one, to all`() throws {
    let storage = ProbedStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.fillGarage()
    let car = try ObservedEntity<Car>(1, in: store) { $0.owner.name }
    let seen = Log<[Int]>()
    let isFailed = AtomicWord(0)
    @Sendable func step(from: Int) {
      if car.year == from { try? car.update { $0.year = from + 1 } }
    }
    withObservationTracking {
      _ = car.year
    } onChange: {
      step(from: 1)
    }
    let tokens = [
      car.didChange.subscribe { _ in step(from: 2) },
      car.changes(of: \.year).subscribe { _ in step(from: 3) },
      car.changes { view in
        // Even where a value is made of the object.
        step(from: 4)
        return view.year
      }.subscribe { _ in step(from: 5) },
      car.errors.subscribe { _ in
        if isFailed.exchange(1) == 0 {
          storage.isFailing.store(0)
          try? car.update { $0.year = 100 }
        }
      },
      car.didChange.subscribe { seen.note([$0.before?.year ?? -1, $0.after.year, car.year]) },
    ]
    try car.update { $0.year = 1 }
    #expect(
      seen.entries == [[1994, 1, 1], [1, 2, 2], [2, 3, 3], [3, 4, 4], [4, 5, 5], [5, 6, 6]])
    storage.isFailing.store(1)
    try car.update { $0.year = 50 }
    #expect(seen.entries.last == [6, 100, 100])
    withExtendedLifetime(tokens) {}
  }

  @Test @MainActor func `S3: a commit in a callback on the main actor is delivered after it`()
    async throws
  {
    let store = try makeStore()
    let car = try ObservedEntity<Car>(1, in: store, delivery: .mainActor)
    var years: [[Int]] = []
    let token = car.didChange.subscribe(on: .mainActor) { event in
      if event.after.year < 5 { try? car.update { $0.year += 1 } }
      years.append([event.after.year, car.year])
    }
    try car.update { $0.year = 1 }
    await store.flush()
    #expect(years == (1...5).map { [$0, $0] })
    token.cancel()
  }

  @Test func `F8: the events are an async sequence, which ends with the object`() async throws {
    let store = try makeStore()
    var car: ObservedEntity<Car>? = try ObservedEntity(1, in: store)
    let events = try #require(car?.didChange.values())
    let years = try #require(car?.changes(of: \.year).values())
    for year in 1...3 { try car?.update { $0.year = year } }
    try store.commit { try $0.delete(Car.self, 1) }
    car = nil
    var seen: [String] = []
    for await event in events { seen.append("\(event.after.year) \(event.state)") }
    #expect(seen == ["1 live", "2 live", "3 live", "3 deleted"])
    var numbers: [Int] = []
    for await change in years { numbers.append(change.new) }
    #expect(numbers == [1, 2, 3])
  }
}
