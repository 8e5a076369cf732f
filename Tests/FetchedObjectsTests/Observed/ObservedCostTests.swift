import FetchedObjects
import Fixtures
import ListFixtures
import Locking
import Relays
import TestSupport
import Testing

@_spi(Storage) @testable import EntityStore

@Suite struct ObservedCostTests {
  private func makeStore(_ count: Int) throws -> (Store, ProbedStorage) {
    let storage = ProbedStorage()
    let store = try Store(.custom { storage }, entities: [Person.self, Car.self])
    try store.commit { draft in
      try draft.insert(ann)
      try draft.insert(bob)
      for id in 1...count {
        try draft.insert(Car(id: id, model: "\(id)", year: id, owner: Ref(ann)))
      }
    }
    return (store, storage)
  }

  /// How many observers a store asks about the commit that `body` makes.
  private func asked(_ store: Store, _ body: (inout Draft) throws -> Void) throws -> Int {
    let commits = Recorder(store.commits)
    try store.commit { try body(&$0) }
    let commit = try #require(commits.values.last)
    return store.registry.withLock { $0.observers(of: commit.changes) }.count
  }

  @Test func `F8: a commit asks only the observers of its objects, however many there are`() throws
  {
    let (store, storage) = try makeStore(2000)
    let cars = try (1...1000).map { try ObservedEntity<Car>($0, in: store) }
    let count = Counter()
    let tokens = cars.map { $0.didChange.subscribe { _ in count.add() } }
    #expect(try asked(store) { try $0.update(Car.self, 7) { $0.year = 0 } } == 1)
    #expect(count.value == 1)
    #expect(try asked(store) { try $0.update(Car.self, 1500) { $0.year = 0 } } == 0)
    #expect(try asked(store) { try $0.update(Person.self, 1) { $0.name = "Amy" } } == 0)
    #expect(try asked(store) { try $0.delete(Car.self, 8) } == 1)
    #expect(try asked(store) { try $0.insert(Car(id: 8, model: "", year: 0, owner: nil)) } == 1)
    #expect(count.value == 3)
    // The commit says what the object is now; nothing has to be read for it.
    #expect(storage.reads.load() == 0)
    withExtendedLifetime(tokens) {}
  }

  @Test func `F8: only the included values of a related object are looked at`() throws {
    let (store, storage) = try makeStore(100)
    let cars = try (1...100).map { try ObservedEntity<Car>($0, in: store) { $0.owner.name } }
    let count = Counter()
    let tokens = cars.map { $0.didChange.subscribe { _ in count.add() } }
    try store.commit { try $0.update(Person.self, 1) { $0.age = 1 } }
    try store.commit { try $0.update(Person.self, 2) { $0.name = "Rob" } }
    #expect((count.value, storage.reads.load()) == (0, 0))
    // Each reads its owner, once.
    try store.commit { try $0.update(Person.self, 1) { $0.name = "Amy" } }
    #expect((count.value, storage.reads.load()) == (100, 100))
    try cars[0].update { $0.owner = Ref(bob) }
    #expect((count.value, storage.reads.load()) == (101, 101))
    #expect(try asked(store) { try $0.update(Person.self, 2) { $0.name = "Bo" } } == 1)
    #expect(try asked(store) { try $0.update(Person.self, 1) { $0.name = "An" } } == 99)
    withExtendedLifetime(tokens) {}
  }

  @Test func `F8: an object that a commit concerns in several ways is asked once`() throws {
    let (store, _) = try makeStore(3)
    let cars = try (0..<2).map { _ in try ObservedEntity<Car>(1, in: store) { $0.owner.name } }
    let events = cars.map { Recorder($0.didChange) }
    let asked = try asked(store) { draft in
      try draft.update(Car.self, 1) { $0.year = 0 }
      try draft.update(Person.self, 1) { $0.name = "Amy" }
    }
    #expect(asked == 2)
    #expect(events.map(\.values.count) == [1, 1])
  }

  @Test func `F8: two paths over one object read it once`() throws {
    let storage = ProbedStorage()
    let store = try Store(.custom { storage }, entities: [Driver.self, Firm.self, Town.self])
    try store.fillDriverFleet()
    let driver = try ObservedEntity<Driver>(1, in: store) {
      $0.firm.name
      $0.firm.rank
      $0.firm.town.name
      $0.firm.town.size
    }
    storage.reads.store(0)
    try store.commit { try $0.update(Town.self, 1) { $0.size = 0 } }
    #expect(driver.firm?.town?.size == 0)
    #expect(storage.reads.load() == 2)
  }

  @Test func `F8: a released object isn't followed any more`() throws {
    let (store, _) = try makeStore(10)
    var cars = try (1...10).map { try ObservedEntity<Car>($0, in: store) { $0.owner.name } }
    #expect(!store.registry.withLock { $0.isEmpty })
    try store.commit { try $0.update(Car.self, 3) { $0.owner = Ref(bob) } }
    cars.removeLast()
    #expect(try asked(store) { try $0.update(Person.self, 1) { $0.name = "A" } } == 8)
    cars = []
    #expect(store.registry.withLock { $0.isEmpty })
  }
}
