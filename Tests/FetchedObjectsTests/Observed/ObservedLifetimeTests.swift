import FetchedObjects
import Fixtures
import Locking
import Relays
import TestSupport
import Testing

@_spi(Storage) @testable import EntityStore

@Suite struct ObservedLifetimeTests {
  /// Holds the one reference to an observed object.
  private final class Owner: Sendable {
    private let held: Locked<ObservedEntity<Car>?>

    init(_ car: ObservedEntity<Car>) { held = Locked(car) }

    func drop() {
      // Handed out, so that it isn't freed under the lock.
      _ = held.withLock { $0.take() }
    }

    var isEmpty: Bool { held.withLock { $0 == nil } }
  }

  private func makeStore() throws -> (Store, ProbedStorage) {
    let storage = ProbedStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.fillGarage()
    return (store, storage)
  }

  @Test(arguments: TestStorage.withServer)
  func `F8: it is deallocated when it is released, though there are subscriptions`(
    _ storage: TestStorage
  ) throws {
    let store = try storage.makeGarage()
    try store.fillGarage()
    try LifetimeTracker.check { tracker in
      var car: ObservedEntity<Car>? = try ObservedEntity(1, in: store) { $0.owner.name }
      weak let weakCar = car
      let object = tracker.track()
      let tokens = [
        car?.didChange.subscribe { _ in _ = object },
        car?.changes(of: \.year).subscribe { _ in _ = object },
        car?.changes { $0.owner?.name }.subscribe { _ in _ = object },
        car?.errors.subscribe { _ in _ = object },
      ]
      let signal = car?.didChange
      try store.commit { try $0.update(Car.self, 1) { $0.year = 1 } }
      car = nil
      #expect(weakCar == nil)
      #expect(store.registry.withLock { $0.isEmpty })
      try store.commit { try $0.update(Car.self, 1) { $0.year = 2 } }
      for token in tokens { token?.cancel() }
      withExtendedLifetime(signal) {}
    }
  }

  @Test func `F8: it may be released while a commit is prepared, written or delivered`() throws {
    let (store, storage) = try makeStore()
    func makeOwner() throws -> (Owner, Recorder<Int>) {
      let car = try ObservedEntity<Car>(1, in: store) { $0.owner.name }
      return (Owner(car), Recorder(car.didChange.map(\.after.year)))
    }
    var year = 0
    func commit() throws {
      year += 1
      try store.commit { try $0.update(Car.self, 1) { $0.year = year } }
    }

    let (first, firstYears) = try makeOwner()
    storage.whenRead.withLock { $0 = { first.drop() } }
    try commit()
    storage.whenRead.withLock { $0 = nil }
    #expect(first.isEmpty && firstYears.values.isEmpty)
    #expect(store.registry.withLock { $0.isEmpty })

    let (second, secondYears) = try makeOwner()
    storage.whenCommitting.withLock { $0 = { second.drop() } }
    try commit()
    storage.whenCommitting.withLock { $0 = nil }
    #expect(second.isEmpty && secondYears.values.isEmpty)
    #expect(store.registry.withLock { $0.isEmpty })

    // One that is told earlier drops it: its turn doesn't come.
    let early = try ObservedEntity<Car>(1, in: store)
    let (third, thirdYears) = try makeOwner()
    let token = early.didChange.subscribe { _ in third.drop() }
    try commit()
    #expect(third.isEmpty && thirdYears.values.isEmpty)
    token.cancel()

    // Its own subscriber drops it: the others still get the event, and that is the last.
    let (fourth, fourthYears) = try makeOwner()
    let car = try ObservedEntity<Car>(1, in: store)
    let owner = Owner(car)
    let token2 = car.didChange.subscribe { _ in
      fourth.drop()
      owner.drop()
    }
    try commit()
    try commit()
    #expect(fourthYears.values == [year - 1])
    withExtendedLifetime((token2, early)) {}
  }

  @Test func `F8: it may be dropped in a commit's body`() throws {
    let (store, _) = try makeStore()
    let owner = Owner(try ObservedEntity(1, in: store))
    try store.commit { draft in
      try draft.update(Car.self, 1) { $0.year = 1 }
      owner.drop()
    }
    #expect(store.registry.withLock { $0.isEmpty })
  }

  @Test func `F8: a commit that fails at the last moment changes nothing that is shown`() throws {
    struct Full: Error {}
    let (store, storage) = try makeStore()
    let car = try ObservedEntity<Car>(1, in: store) { $0.owner.name }
    let events = Recorder(car.didChange)
    storage.whenCommitting.withLock { $0 = { throw Full() } }
    #expect(throws: Full.self) { try car.update { $0.owner = Ref(bob) } }
    storage.whenCommitting.withLock { $0 = nil }
    try store.commit { try $0.update(Person.self, 2) { $0.name = "Rob" } }
    #expect(events.values.isEmpty)
    try store.commit { try $0.update(Person.self, 1) { $0.name = "Amy" } }
    #expect(events.values.map { $0.after.owner?.name } == ["Amy"])
  }

  @Test func `F8: objects come and go while others commit`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let isDone = AtomicWord(0)
    let committers = (0..<2).map { thread in
      TestThread {
        var number = 0
        while isDone.load() == 0 {
          number += 1
          try? store.commit { draft in
            try draft.update(Car.self, 1) { $0.year = number }
            try draft.update(Person.self, 1) { $0.name = "\(thread) \(number)" }
          }
        }
      }
    }
    let events = Counter()
    let followers = (0..<2).map { _ in
      TestThread {
        for _ in 0..<100 {
          guard let car = try? ObservedEntity<Car>(1, in: store, including: { $0.owner.name })
          else { continue }
          let token = car.didChange.subscribe { event in
            events.add()
            if event.before == event.after { events.add(1_000_000) }
          }
          _ = car.year
          _ = car.owner?.name
          if car.year % 2 == 0 { token.cancel() }
        }
      }
    }
    for thread in followers { thread.join() }
    isDone.store(1)
    for thread in committers { thread.join() }
    #expect(store.registry.withLock { $0.isEmpty })
    #expect(events.value < 1_000_000)
  }
}
