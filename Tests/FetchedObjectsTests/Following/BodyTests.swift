@_spi(Storage) import EntityStore
import Fixtures
import ListDiffing
import ListFixtures
import Locking
import Relays
import SQLitePersistence
import TestSupport
import Testing

@testable import FetchedObjects

@Suite struct BodyTests {
  private struct Undo: Error {}

  private func car(_ id: Int) -> Car { Car(id: id, model: "\(id)", year: id, owner: nil) }

  @Test func `S1: a thread delivers what it commits, though others come and go`() throws {
    let store = try TestStorage.memory.makeGarage()
    let model = try FetchedObjectsModel(Query<Car>(), in: store)
    let committer = CurrentThread.token
    let strangers = AtomicWord(0)
    let events = AtomicWord(0)
    let token = model.didChange.subscribe { _ in
      events.add(1)
      if CurrentThread.token != committer { strangers.add(1) }
    }
    let isDone = AtomicWord(0)
    let guests = AtomicWord(0)
    let thread = TestThread {
      while isDone.load() == 0 {
        model.didChange.subscribe { _ in }.cancel()
        guests.add(1)
      }
    }
    expectTrue(becomesTrueBlocking { guests.load() > 0 })
    var late = 0
    for id in 0..<3000 {
      try store.commit { try $0.insert(car(id)) }
      if events.load() != id + 1 { late += 1 }
    }
    isDone.store(1)
    thread.join()
    token.cancel()
    #expect(late == 0)
    #expect(strangers.load() == 0)
  }

  @Test @MainActor
  func `S2: no callback runs in a body, not even another store's`() async throws {
    let outer = try TestStorage.memory.makeGarage()
    let inner = try TestStorage.memory.makeGarage()
    let log = Locked<[String]>([])
    let models = [
      try FetchedObjectsModel(Query<Car>(), in: inner),
      try FetchedObjectsModel(Query<Car>(), in: inner, delivery: .mainActor),
    ]
    let tokens = models.map { model in
      model.didChange.subscribe { _ in
        log.withLock { $0.append("told") }
        // Must not join the outer commit, which is undone.
        try? outer.commit { try $0.upsert(Car(id: 9, model: "", year: 0, owner: nil)) }
      }
    }
    #expect(throws: Undo.self) {
      try outer.commit { draft in
        try draft.insert(car(1))
        try inner.commit { try $0.insert(car(2)) }
        log.withLock { $0.append("body ends") }
        throw Undo()
      }
    }
    #expect(log.withLock { $0 } == ["body ends", "told", "told"])
    #expect(try outer.fetch(Query<Car>()).map(\.id) == [9])
    withExtendedLifetime(tokens) {}
  }

  @Test func `Commits of another store on the file are taken in with the next one here`() throws {
    let path = temporaryPath("shared")
    let stores = try (0..<2).map { _ in
      try Store(
        .sqlite(path: path, durability: .normal, watching: .none),
        entities: [Person.self, Car.self])
    }
    let model = try FetchedObjectsModel(Query<Car>(), in: stores[0])
    try stores[0].commit { try $0.insert(car(1)) }
    let observed = try ObservedEntity<Car>(1, in: stores[0])
    let events = Recorder(model.didChange)
    try stores[1].commit { draft in
      try draft.insert(car(2))
      try draft.update(Car.self, 1) { $0.year = 7 }
    }
    try stores[0].commit { try $0.insert(Person(id: 1, name: "Ann", age: nil)) }
    #expect(model.fetchedObjects.map(\.id) == [1, 2])
    #expect(observed.year == 7)
    #expect(events.values.map(\.changes.count) == [2])
    try stores[0].commit { try $0.insert(car(3)) }
    #expect(events.values.map(\.changes.count) == [2, 1])
  }

  @Test func `A model keeps no result but the one it shows`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let model = try FetchedObjectsModel(Query<Car>(), in: store)
    weak let first = model.snapshot[ListPath(section: 0, row: 0)].result.row.box
    #expect(first != nil)
    try store.commit { try $0.update(Car.self, 1) { $0.year = 1 } }
    #expect(first == nil)
    #expect(model.snapshot.count == 4)
  }

  @Test @MainActor func `A backlog is delivered in time that follows its length`() async throws {
    let store = try TestStorage.memory.makeGarage()
    let model = try FetchedObjectsModel(
      Query<Car>(), in: store, delivery: .mainActor, policy: .every)
    let events = AtomicWord(0)
    let token = model.didChange.subscribe { _ in events.add(1) }
    TestThread {
      for id in 0..<6000 {
        try? store.commit { try $0.upsert(Car(id: id % 10, model: "", year: id, owner: nil)) }
      }
    }.join()
    #expect(events.load() == 0)
    #expect(await becomesTrue { events.load() == 6000 })
    #expect(model.snapshot.count == 10)
    token.cancel()
  }

  @Test func `F1: fetching off the caller's thread gives the same model`() async throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let model = try await FetchedObjectsModel<Car>.fetching(byOwner, in: store)
    #expect(model.fetchedObjects.map(\.id) == [2, 1, 3])
    try store.commit { try $0.delete(Car.self, 1) }
    #expect(model.fetchedObjects.map(\.id) == [2, 3])
  }
}
